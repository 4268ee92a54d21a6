//! Where time and chance come from. Tests put their own in place of the system's.

use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant as Monotonic, SystemTime, UNIX_EPOCH};

use corecall_types::{Code, Error, Instant, Result};
use uuid::{Builder, Uuid};

/// Time and chance.
pub trait Sources: Send + Sync {
    /// A new memory's time and id.
    fn stamp(&self) -> Stamp;
    /// Time that never goes back, from any beginning.
    fn monotonic(&self) -> Duration;
    /// Bits nobody can guess.
    fn random(&self) -> [u8; 16];
}

/// One reading of the clock and the id made from it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Stamp {
    /// Milliseconds since 1970, UTC.
    pub unix_millis: i64,
    /// A version 7 UUID of that millisecond.
    pub id: String,
}

impl Stamp {
    /// The time as it is written: RFC 3339, UTC, milliseconds.
    pub(crate) fn time(&self) -> Result<String> {
        rfc3339(self.unix_millis)
    }
}

/// A time as it is written.
pub(crate) fn rfc3339(unix_millis: i64) -> Result<String> {
    let instant = Instant::from_unix_millis(unix_millis);
    instant.map(|instant| instant.to_string()).ok_or_else(|| {
        Error::new(Code::EngineFailure, "the clock is outside the years 0 to 9999; set the machine's clock")
    })
}

/// Makes stamps that grow, however often the clock stands still or goes back.
///
/// The twelve bits after the time count the ids of a millisecond (RFC 9562, section 6.2, method 1), so that the
/// first 18 characters of an id, which is what lists show, tell the memories of one writer apart.
#[derive(Debug, Default)]
pub struct Stamper {
    /// The millisecond of the last id and its 74 bits beside it: 12 of counter, 62 of chance.
    last: Mutex<Option<(i64, u128)>>,
}

/// RFC 9562 leaves a version 7 UUID 74 bits beside its time.
const TAIL: u128 = (1 << 74) - 1;
/// Those of them that follow the variant.
const CHANCE: u32 = 62;

impl Stamper {
    /// A stamper that has made no stamp.
    pub const fn new() -> Self {
        Self { last: Mutex::new(None) }
    }

    /// The stamp for this reading of the clock, or the next one after the last stamp if that is later.
    pub fn stamp(&self, unix_millis: i64, random: [u8; 16]) -> Stamp {
        let random = u128::from_be_bytes(random);
        let mut last = self.last.lock().unwrap_or_else(PoisonError::into_inner);
        let (unix_millis, tail) = match *last {
            Some((then, tail)) if then >= unix_millis => {
                let next = (((tail >> CHANCE) + 1) << CHANCE) | (random & ((1 << CHANCE) - 1));
                if next > TAIL { (then + 1, random & (TAIL >> 1)) } else { (then, next) }
            }
            // The top bit stays free, so that a millisecond has room for 2,048 more.
            _ => (unix_millis, random & (TAIL >> 1)),
        };
        *last = Some((unix_millis, tail));
        Stamp { unix_millis, id: uuid(unix_millis, tail).to_string() }
    }
}

fn uuid(unix_millis: i64, tail: u128) -> Uuid {
    // 12 bits before the variant, 62 after it; the builder sets version and variant itself.
    let bits = ((tail >> CHANCE) << 64) | (tail & ((1 << CHANCE) - 1));
    let bytes: [u8; 10] = bits.to_be_bytes()[6..].try_into().expect("six of sixteen bytes are cut off");
    Builder::from_unix_timestamp_millis(u64::try_from(unix_millis).unwrap_or(0), &bytes).into_uuid()
}

/// The machine's clock and random numbers; the stamps of one library grow as long as it is open.
#[derive(Debug)]
pub struct System {
    stamper: Stamper,
    opened: Monotonic,
}

impl System {
    /// Sources of their own for one open library.
    pub fn new() -> Self {
        Self { stamper: Stamper::new(), opened: Monotonic::now() }
    }
}

impl Default for System {
    fn default() -> Self {
        Self::new()
    }
}

impl Sources for System {
    fn stamp(&self) -> Stamp {
        let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
        self.stamper.stamp(now.as_millis() as i64, self.random())
    }

    fn monotonic(&self) -> Duration {
        self.opened.elapsed()
    }

    fn random(&self) -> [u8; 16] {
        Uuid::new_v4().into_bytes()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_id_is_a_version_7_uuid_of_its_time() {
        let stamp = Stamper::new().stamp(1_772_323_200_123, [0xff; 16]);
        let id: Uuid = stamp.id.parse().unwrap();
        assert_eq!((id.get_version_num(), id.get_variant()), (7, uuid::Variant::RFC4122));
        let (seconds, nanoseconds) = id.get_timestamp().unwrap().to_unix();
        assert_eq!((seconds, nanoseconds), (1_772_323_200, 123_000_000));
        assert_eq!(stamp.time().unwrap(), "2026-03-01T00:00:00.123Z");
    }

    #[test]
    fn stamps_grow_when_the_clock_does_not() {
        let stamper = Stamper::new();
        let mut last = stamper.stamp(5_000, [0xff; 16]);
        for (millis, byte) in [(5_000, 0), (4_000, 0xff), (5_000, 7), (5_001, 0), (1, 0xff), (5_001, 0xff)] {
            let next = stamper.stamp(millis, [byte; 16]);
            assert!(next.id > last.id && next.unix_millis >= last.unix_millis, "{millis}");
            last = next;
        }
        assert_eq!(last.unix_millis, 5_001);
    }

    #[test]
    fn ids_of_one_millisecond_differ_in_what_lists_show() {
        let stamper = Stamper::new();
        let shown: std::collections::HashSet<_> =
            (0..=u8::MAX).map(|byte| stamper.stamp(5_000, [byte; 16]).id[..18].to_owned()).collect();
        assert_eq!(shown.len(), 256);
    }

    #[test]
    fn a_full_millisecond_gives_way_to_the_next() {
        let stamper = Stamper { last: Mutex::new(Some((5_000, TAIL))) };
        assert_eq!(stamper.stamp(5_000, [0; 16]).unix_millis, 5_001);
    }

    #[test]
    fn the_system_gives_distinct_growing_ids() {
        let system = System::new();
        let stamps: Vec<_> = (0..1000).map(|_| system.stamp()).collect();
        assert!(stamps.windows(2).all(|pair| pair[0].id < pair[1].id));
        assert!(system.monotonic() <= system.monotonic());
    }
}
