//! A stretch of an index: rows, their vectors, and the codes of both.

use std::sync::Arc;

use crate::codes::{Coded, Coding};

/// Rows with their vectors, and the codes that are read before them.
#[derive(Clone)]
pub struct Block {
    pub rows: Vec<u32>,
    /// `rows.len()` × dims.
    pub values: Vec<f32>,
    /// Of every vector, or none.
    pub coded: Option<Coded>,
}

impl Block {
    pub fn new(coding: Option<&Arc<Coding>>) -> Self {
        let coded = coding.map(|coding| Coded::new(coding, &[]));
        Self { rows: Vec::new(), values: Vec::new(), coded }
    }

    pub fn push(&mut self, row: u32, vector: &[f32]) {
        if let Some(coded) = &mut self.coded {
            coded.set(self.rows.len(), vector);
        }
        self.rows.push(row);
        self.values.extend_from_slice(vector);
    }

    /// Puts a row and its vector in the place of another.
    pub fn put(&mut self, at: usize, row: u32, vector: &[f32]) {
        if let Some(coded) = &mut self.coded {
            coded.set(at, vector);
        }
        self.rows[at] = row;
        self.values[at * vector.len()..][..vector.len()].copy_from_slice(vector);
    }

    /// Takes the last row out, with its vector.
    pub fn pop(&mut self, dims: usize) -> Option<(u32, Vec<f32>)> {
        let row = self.rows.pop()?;
        if let Some(coded) = &mut self.coded {
            coded.pop();
        }
        Some((row, self.values.split_off(self.values.len() - dims)))
    }

    /// Codes every row anew, unless it is coded so already.
    pub fn recode(&mut self, coding: &Arc<Coding>) {
        self.coded = Some(Coded::new(coding, &self.values));
    }

    pub fn is_coded_by(&self, coding: &Arc<Coding>) -> bool {
        self.coded.as_ref().is_some_and(|coded| Arc::ptr_eq(&coded.coding, coding))
    }
}
