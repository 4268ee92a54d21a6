//! The table behind the numbers a C host holds.

use std::sync::{Arc, PoisonError, RwLock};

use corecall_types::{Code, Error, Result};

use crate::instance::Core;
use crate::running::closed;
use crate::{fork, limits};

/// Slot and generation of one open core: `generation << 32 | slot + 1`. A slot's generation grows with every
/// close, so an old handle never reaches a new core.
struct Slot {
    generation: u32,
    core: Option<Arc<Core>>,
}

struct Table {
    slots: Vec<Slot>,
    free: Vec<u32>,
    open: usize,
}

static TABLE: RwLock<Table> = RwLock::new(Table { slots: Vec::new(), free: Vec::new(), open: 0 });

/// Gives `core` a handle.
pub fn insert(core: Core) -> Result<u64> {
    let _section = fork::section();
    let mut table = TABLE.write().unwrap_or_else(PoisonError::into_inner);
    if table.open == limits::HANDLES {
        let message = format!("{} handles are open: close one first", limits::HANDLES);
        return Err(Error::new(Code::LimitHandles, message));
    }
    let slot = table.free.pop().unwrap_or_else(|| {
        table.slots.push(Slot { generation: 1, core: None });
        (table.slots.len() - 1) as u32
    });
    table.open += 1;
    let entry = &mut table.slots[slot as usize];
    entry.core = Some(Arc::new(core));
    Ok(u64::from(entry.generation) << 32 | u64::from(slot + 1))
}

/// The core behind a handle.
pub fn core(handle: u64) -> Result<Arc<Core>> {
    let _section = fork::section();
    let table = TABLE.read().unwrap_or_else(PoisonError::into_inner);
    let slot = table.slot(handle)?;
    table.slots[slot].core.clone().ok_or_else(closed)
}

/// Takes the core out: from here on the handle is closed.
pub fn remove(handle: u64) -> Result<Arc<Core>> {
    let _section = fork::section();
    let mut table = TABLE.write().unwrap_or_else(PoisonError::into_inner);
    let slot = table.slot(handle)?;
    let entry = &mut table.slots[slot];
    let core = entry.core.take().ok_or_else(closed)?;
    // The last generation's slot is given up, lest the count begin anew.
    if entry.generation < u32::MAX {
        entry.generation += 1;
        table.free.push(slot as u32);
    }
    table.open -= 1;
    Ok(core)
}

/// In a forked child: the calls of the parent's other threads are gone.
pub fn forget_running_calls() {
    let table = TABLE.read().unwrap_or_else(PoisonError::into_inner);
    table.slots.iter().filter_map(|slot| slot.core.as_ref()).for_each(|core| core.forget_running_calls());
}

impl Table {
    fn slot(&self, handle: u64) -> Result<usize> {
        let (slot, generation) = ((handle as u32 as usize).wrapping_sub(1), (handle >> 32) as u32);
        match self.slots.get(slot) {
            Some(entry) if generation == entry.generation => Ok(slot),
            Some(entry) if (1..entry.generation).contains(&generation) => Err(closed()),
            _ => {
                let message = "the handle was never issued: use one that corecall_open stored";
                Err(Error::new(Code::HandleInvalid, message).at("handle"))
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_handle_reaches_its_core_until_it_is_closed() {
        let handle = insert(Core::open(b"").unwrap()).unwrap();
        assert!(core(handle).is_ok());
        assert!(remove(handle).is_ok());
        assert_eq!(core(handle).err().unwrap().code, Code::HandleClosed);
        assert_eq!(remove(handle).err().unwrap().code, Code::HandleClosed);
        let next = insert(Core::open(b"").unwrap()).unwrap();
        assert_ne!(next, handle);
        assert_eq!(core(handle).err().unwrap().code, Code::HandleClosed);
        remove(next).unwrap();
    }

    #[test]
    fn numbers_that_were_never_issued_are_invalid() {
        let handle = insert(Core::open(b"").unwrap()).unwrap();
        for wrong in [0, 1, u64::MAX, handle | 0xFFFF_FFFF, handle + (1 << 40), handle & 0xFFFF_FFFF] {
            assert_eq!(core(wrong).err().unwrap().code, Code::HandleInvalid, "{wrong:#x}");
        }
        remove(handle).unwrap();
    }
}
