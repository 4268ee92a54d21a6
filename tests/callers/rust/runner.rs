//! Plays the contract cases and the callers' programme (../README.md) in Rust.   usage: runner SDK_FOLDER

use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::{env, fs, thread};

use corecall::{request, Core, Reply};

/// Status and reply, with a `*` for an error's message.
fn shown(reply: &Reply, between: char) -> String {
    let json = String::from_utf8(reply.json.clone()).expect("replies are UTF-8");
    let parts =
        json.split_once(r#","message":""#).and_then(|(head, rest)| Some((head, rest.split_once(r#"","path":"#)?)));
    match parts {
        Some((head, (_, tail))) if reply.status != 0 => {
            format!(r#"{}{between}{head},"message":"*","path":{tail}"#, reply.status)
        }
        _ => format!("{}{between}{json}", reply.status),
    }
}

fn show(name: &str, reply: &Reply) {
    println!("{name}: {}", shown(reply, ' '));
}

fn attachments(folder: &Path, step: usize) -> Vec<Vec<u8>> {
    let mut found = Vec::new();
    loop {
        let text = |kind| fs::read_to_string(folder.join(format!("{step}.attachment-{}.{kind}", found.len())));
        if let Ok(floats) = text("f32") {
            let floats = floats.split_whitespace().flat_map(|word| word.parse::<f32>().unwrap().to_le_bytes());
            found.push(floats.collect());
        } else if let Ok(bytes) = text("u8") {
            found.push(bytes.split_whitespace().map(|word| word.parse().unwrap()).collect());
        } else {
            return found;
        }
    }
}

fn play(library: &Path, folder: &Path) -> bool {
    let config = fs::read(folder.join("config.json")).unwrap_or_else(|_| b"{}".to_vec());
    let core = Core::open(library, &config).unwrap();
    let (mut good, mut step) = (true, 1);
    while let Ok(request) = fs::read(folder.join(format!("{step}.request.json"))) {
        let attachments = attachments(folder, step);
        let slices: Vec<&[u8]> = attachments.iter().map(Vec::as_slice).collect();
        let got = shown(&core.send(&request, &slices, 0), '\n') + "\n";
        if got.as_bytes() != fs::read(folder.join(format!("{step}.expect"))).unwrap() {
            println!("FAILED {} step {step}: {got}", folder.display());
            good = false;
        }
        step += 1;
    }
    core.close() == 0 && good && step > 1
}

fn cases(library: &Path, folder: &Path) {
    let items = fs::read_dir(folder).unwrap().map(|item| item.unwrap().path());
    let mut folders: Vec<PathBuf> = items.filter(|path| path.is_dir()).collect();
    folders.sort();
    let passed = folders.iter().filter(|folder| play(library, folder)).count();
    println!("{passed} passed, {} failed", folders.len() - passed);
}

fn threads(core: &Core) {
    let payload = r#"{"model":"test-hash:64","entries":[{"id":"a","content":"two threads at once"}]}"#;
    let alone = core.call("prepare", payload);
    let same = AtomicUsize::new(0);
    let ask = || {
        for _ in 0..100 {
            same.fetch_add(usize::from(core.call("prepare", payload) == alone), Ordering::Relaxed);
        }
    };
    thread::scope(|scope| {
        scope.spawn(ask);
        scope.spawn(ask);
    });
    println!("threads: {} replies as alone", same.into_inner());
}

fn cancel(core: &Core) {
    let entries: Vec<String> = (0..5000).map(|n| format!(r#"{{"id":"m{n}","content":"a long call"}}"#)).collect();
    let request = request("prepare", &format!(r#"{{"model":"test-hash:256","entries":[{}]}}"#, entries.join(",")));
    let returned = AtomicBool::new(false);
    let last = thread::scope(|scope| {
        let worker = scope.spawn(|| {
            let mut last = core.send(request.as_bytes(), &[], 7);
            for _ in 1..100 {
                if last.status != 0 {
                    break;
                }
                last = core.send(request.as_bytes(), &[], 7);
            }
            returned.store(true, Ordering::Relaxed);
            last
        });
        while !returned.load(Ordering::Relaxed) {
            core.cancel(7);
        }
        worker.join().unwrap()
    });
    show("cancel", &last);
}

fn publish(core: &Core, model: &str, features: &[String], vectors: &str, attachments: &[&[u8]]) -> Reply {
    let snapshots: Vec<String> =
        (0..64).map(|n| format!(r#"{{"id":"m{n}","entry":{{"id":"m{n}","title":"t{n}"}}{}}}"#, features[n])).collect();
    let payload = format!(r#"{{"model":"{model}","snapshots":[{}]{vectors}}}"#, snapshots.join(","));
    core.send(request("resident_publish", &payload).as_bytes(), attachments, 0)
}

fn related(core: &Core, model: &str, key: &str) -> Reply {
    let settings = r#""related_settings":{"relations":["neighbor"]}"#;
    let query = r#""query":{"text":"","limit":1},"ids":["m5"],"pairs":[]"#;
    core.call("related_business", &format!(r#"{{"model":"{model}","resident_key":"{key}",{query},{settings}}}"#))
}

fn mebibyte(core: &Core) {
    // 64 rows of 4,096 numbers are 1 MiB; each two rows are equal, so m4 is the neighbour of m5.
    let row = |row: usize| (0..4096).flat_map(move |at| f32::from(u8::from(at == row / 2)).to_le_bytes());
    let rows: Vec<u8> = (0..64).flat_map(row).collect();
    let ids: Vec<String> = (0..64).map(|n| format!(r#""m{n}""#)).collect();
    let data = r#"{"$attachment":0,"dtype":"f32","shape":[64,4096]}"#;
    let vectors = format!(r#","vectors":{{"ids":[{}],"data":{data}}}"#, ids.join(","));
    show("1 MiB in", &publish(core, "host:caller", &vec![String::new(); 64], &vectors, &[&rows]));
    show("related", &related(core, "host:caller", "r1"));

    let entries: Vec<String> = (0..64).map(|n| format!(r#"{{"id":"m{n}","content":"{}"}}"#, 1000 + n / 2)).collect();
    let out = core.call("prepare", &format!(r#"{{"model":"test-hash:4096","entries":[{}]}}"#, entries.join(",")));
    let out: Vec<&[u8]> = out.attachments.iter().map(Vec::as_slice).collect();
    let enough = out.iter().map(|bytes| bytes.len()).sum::<usize>() >= 1 << 20;
    println!("attachments out: {}, {}", out.len(), if enough { "1 MiB or more" } else { "less than 1 MiB" });
    let feature = |(at, bytes): (usize, &&[u8])| {
        format!(r#","features":{{"artifact":{{"$attachment":{at},"dtype":"u8","shape":[{}]}}}}"#, bytes.len())
    };
    let features: Vec<String> = out.iter().enumerate().map(feature).collect();
    show("and in again", &publish(core, "test-hash:4096", &features, "", &out));
    show("related", &related(core, "test-hash:4096", "r2"));
}

fn main() {
    let sdk = PathBuf::from(env::args().nth(1).expect("usage: runner SDK_FOLDER"));
    let library = sdk.join("lib/libcorecall.so");
    cases(&library, &sdk.join("share/corecall/contract/cases"));
    let core = Core::open(&library, b"").unwrap(); // NULL and length 0
    threads(&core);
    cancel(&core);
    mebibyte(&core);
    show("no request", &core.send(b"", &[], 0));
    show("empty attachment", &core.send(request("capabilities", "{}").as_bytes(), &[b""], 0));
    println!("close: {}", core.close());
    show("call after close", &core.call("capabilities", "{}"));
    println!("close again: {}", core.close());
}
