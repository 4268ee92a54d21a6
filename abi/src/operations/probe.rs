//! Operations that only tests have: one that panics, one that runs until it is cancelled.

use serde_json::json;

use crate::dispatch::{Needs, Operation};
use crate::shape::Shape;

/// Found by dispatch beside the real table.
pub const TABLE: &[Operation] = &[
    Operation {
        name: "probe_panic",
        about: "Panics.",
        contract: 1,
        needs: Needs::Nothing,
        payload: Shape::Any,
        result: Shape::Any,
        run: |context, _| panic!("secret of {:?}", context.payload),
    },
    Operation {
        name: "probe_wait",
        about: "Runs until it is cancelled.",
        contract: 1,
        needs: Needs::Nothing,
        payload: Shape::Any,
        result: Shape::Any,
        run: |context, answer| {
            for done in 1.. {
                context.task.report(done, u64::MAX);
                context.task.check()?;
                std::thread::yield_now();
            }
            answer.result(&json!(null));
            Ok(())
        },
    },
];
