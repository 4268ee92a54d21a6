//! The operations: each declares what it takes and answers, reads its request, asks the core, writes its reply.

mod business;
mod library;
mod prepare;
mod resident;
mod shapes;
mod snapshots;

#[cfg(test)]
pub mod probe;

use crate::capabilities::capabilities;
use crate::dispatch::{Needs, Operation};
use crate::shape::{Object, Shape};

/// Every operation, in the order capabilities list them.
pub const TABLE: &[Operation] = &[
    Operation {
        name: "capabilities",
        about: "What this library can do; payload null or {}.",
        contract: 1,
        needs: Needs::Nothing,
        payload: Shape::Nullable(&Shape::Object(&Object::of(&[]))),
        result: Shape::Object(shapes::CAPABILITIES),
        run: |_, answer| {
            answer.result(&capabilities());
            Ok(())
        },
    },
    business::RELATED_BUSINESS,
    prepare::PREPARE,
    business::QUERY,
    business::REMEMBER_CANDIDATES,
    resident::RESIDENT_PUBLISH,
    resident::RESIDENT_RELEASE,
    library::REMEMBER,
    library::RECALL,
    library::SHOW,
    library::RELATIONS,
    library::FORGET,
    library::STATUS,
    library::STATISTICS_FLUSH,
    library::LINK,
    library::UNLINK,
    library::UNSUPERSEDE,
    library::UPDATE,
    library::RESTORE,
];
