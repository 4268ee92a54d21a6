//! What this build can do, told from the dispatch table.

use corecall_library::SCHEMA_VERSION;
use corecall_scoring::artifact;
use serde::Serialize;
use serde_json::{Map, Value, json};

use crate::dispatch::OPERATIONS;
use crate::limits::{self, Limits};

/// Major version of the C ABI, `CORECALL_ABI_MAJOR` of the header.
pub const ABI_MAJOR: u32 = 1;
/// Minor version of the C ABI, `CORECALL_ABI_MINOR` of the header.
pub const ABI_MINOR: u32 = 0;
/// The oldest envelope that is read.
pub const SCHEMA_MIN: i64 = 1;
/// The newest envelope that is read.
pub const SCHEMA_MAX: i64 = 1;
/// The name of the operation whose contract is the association contract.
const ASSOCIATIONS: &str = "related_business";

/// The result of `capabilities`.
#[derive(Serialize)]
pub struct Capabilities {
    abi_version: String,
    schema_version: Value,
    association_contract: i64,
    operations: Vec<&'static str>,
    contracts: Map<String, Value>,
    formats: Value,
    limits: Limits,
    models: &'static [&'static str],
    inference_execution: &'static str,
    build: Value,
}

/// Tells them.
pub fn capabilities() -> Capabilities {
    let contracts: Map<String, Value> =
        OPERATIONS.iter().map(|operation| (operation.name.to_owned(), json!(operation.contract))).collect();
    let associations = OPERATIONS.iter().find(|operation| operation.name == ASSOCIATIONS);
    Capabilities {
        abi_version: format!("{ABI_MAJOR}.{ABI_MINOR}"),
        schema_version: json!({ "min": SCHEMA_MIN, "max": SCHEMA_MAX }),
        association_contract: associations.map_or(0, |operation| operation.contract),
        operations: OPERATIONS.iter().map(|operation| operation.name).collect(),
        contracts,
        formats: json!({
            "store": { "read": (1..=SCHEMA_VERSION).collect::<Vec<_>>(), "write": SCHEMA_VERSION },
            "artifact": artifact::FORMAT,
        }),
        limits: limits::ALL,
        models: &["none", "test-hash", "host"],
        inference_execution: "in_process",
        build: json!({
            "version": env!("CARGO_PKG_VERSION"),
            "commit": env!("CORECALL_COMMIT"),
            "target": env!("CORECALL_TARGET"),
            "simd": corecall_scoring::kernel(),
        }),
    }
}
