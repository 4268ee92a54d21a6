//! The table of operations: the one list that dispatch, capabilities and schemas are made from.

use corecall_types::{Code, Error, Result, Task};
use serde::Serialize;

use crate::attachments::{Attachments, Use};
use crate::envelope;
use crate::instance::{Core, under};
use crate::json::Value;
use crate::operations;
use crate::path::Path;
use crate::reply::Attachment;
use crate::schema;
use crate::shape::Shape;

/// One entry of the table.
pub struct Operation {
    /// The name requests and capabilities use.
    pub name: &'static str,
    /// A sentence for people.
    pub about: &'static str,
    pub(crate) contract: i64,
    pub(crate) needs: Needs,
    pub(crate) payload: Shape,
    pub(crate) result: Shape,
    pub(crate) run: fn(&Context<'_>, &mut Answer) -> Result<()>,
}

/// What a handle must have for an operation.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Needs {
    Nothing,
    Library,
}

/// Every operation, in the order capabilities list them.
pub const OPERATIONS: &[Operation] = operations::TABLE;

/// The operation of that name.
pub(crate) fn operation(name: &str) -> Option<&'static Operation> {
    #[cfg(test)]
    if let Some(operation) = operations::probe::TABLE.iter().find(|operation| operation.name == name) {
        return Some(operation);
    }
    OPERATIONS.iter().find(|operation| operation.name == name)
}

/// What an operation works on.
pub(crate) struct Context<'c> {
    pub core: &'c Core,
    pub task: &'c Task,
    pub payload: &'c Value<'c>,
    pub attachments: Attachments<'c>,
}

/// What an operation says: its result, written once, and attachments.
pub(crate) struct Answer {
    json: Vec<u8>,
    attachments: Vec<Attachment>,
}

impl Answer {
    /// An answer to the request of that id.
    pub fn to(request_id: &str) -> Self {
        Self { json: envelope::begin(request_id), attachments: Vec::new() }
    }

    /// Writes the result.
    pub fn result(&mut self, result: &impl Serialize) {
        envelope::write(&mut self.json, result);
    }

    /// Adds an attachment and says which one it is.
    pub fn attach(&mut self, bytes: &[u8]) -> usize {
        self.attachments.push(Attachment::new(bytes));
        self.attachments.len() - 1
    }

    /// The finished envelope and its attachments.
    pub fn finish(mut self) -> (Vec<u8>, Vec<Attachment>) {
        self.json.extend_from_slice(envelope::END);
        (self.json, self.attachments)
    }
}

impl Operation {
    /// The JSON Schema document of what it takes and answers.
    pub fn schema(&self) -> serde_json::Value {
        schema::document(self.name, self.about, &self.payload, &self.result)
    }

    /// Fails unless `result`, the JSON of a reply's `result`, has the shape the schema promises.
    pub fn check_result(&self, result: &[u8]) -> Result<()> {
        let value = crate::json::parse(result)?;
        self.result.check(&value, &Path::Root("result"), &mut Vec::new())
    }

    /// Checks the payload and the attachments, and runs.
    pub(crate) fn answer(
        &self,
        core: &Core,
        task: &Task,
        payload: &Value<'_>,
        passed: &[&[u8]],
        answer: &mut Answer,
    ) -> Result<()> {
        if self.needs == Needs::Library && core.library().is_none() {
            let message = "this operation needs a library: open the handle with {\"path\": …}";
            return Err(Error::new(Code::OperationNeedsLibrary, message).at("operation"));
        }
        let attachments = Attachments::new(passed)?;
        let mut uses: Vec<Use> = Vec::new();
        self.payload.check(payload, &Path::Root("payload"), &mut uses)?;
        attachments.check(&uses)?;
        let context = Context { core, task, payload, attachments };
        (self.run)(&context, answer).map_err(|error| under(error, "payload"))
    }
}
