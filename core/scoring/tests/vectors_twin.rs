//! `nearest` gives what sorting all cosines gives, bit for bit, whatever was done to the index before.

use std::cmp::Ordering;
use std::collections::BTreeMap;

use corecall_scoring::{VectorIndex, vector};
use corecall_types::Code;
use proptest::prelude::*;

/// Ties are common: few directions, few rows told apart by `order` alone.
fn direction(dims: usize) -> impl Strategy<Value = Vec<f32>> {
    prop::collection::vec((-2_i8..=2).prop_map(f32::from), dims)
        .prop_filter_map("zero", |vector| vector::normalise(&vector).ok())
}

#[derive(Clone, Debug)]
enum Step {
    Set(u32, Vec<f32>),
    Remove(u32),
}

fn steps(dims: usize) -> impl Strategy<Value = Vec<Step>> {
    let row = || prop_oneof![0_u32..30, 2000_u32..2010];
    let step = prop_oneof![
        3 => (row(), direction(dims)).prop_map(|(row, vector)| Step::Set(row, vector)),
        1 => row().prop_map(Step::Remove),
    ];
    prop::collection::vec(step, 0..60)
}

fn case() -> impl Strategy<Value = (Vec<Step>, Vec<Vec<f32>>)> {
    (1_usize..20).prop_flat_map(|dims| (steps(dims), prop::collection::vec(direction(dims), 0..5)))
}

fn order(a: u32, b: u32) -> Ordering {
    (b % 5).cmp(&(a % 5)).then(b.cmp(&a))
}

fn apply(index: &mut VectorIndex, map: &mut BTreeMap<u32, Vec<f32>>, step: Step) {
    match step {
        Step::Set(row, vector) => {
            index.set(row, &vector).unwrap();
            map.insert(row, vector);
        }
        Step::Remove(row) => assert_eq!(index.remove(row), map.remove(&row).is_some()),
    }
}

fn twin(
    map: &BTreeMap<u32, Vec<f32>>,
    query: &[f32],
    k: usize,
    min: f64,
    allowed: &dyn Fn(u32) -> bool,
) -> Vec<(u32, f64)> {
    let mut all: Vec<_> = map.iter().map(|(&row, vector)| (row, vector::dot(vector, query))).collect();
    all.retain(|&(row, cosine)| cosine >= min && allowed(row));
    all.sort_by(|a, b| b.1.partial_cmp(&a.1).unwrap().then(order(a.0, b.0)));
    all.truncate(k);
    all
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(1000))]

    #[test]
    fn nearest_is_exact((steps, queries) in case(), k in 0_usize..12, min in prop_oneof![Just(f64::NEG_INFINITY), -1.0..1.0]) {
        let (mut index, mut map) = (VectorIndex::default(), BTreeMap::new());
        for step in steps {
            apply(&mut index, &mut map, step);
            prop_assert_eq!(index.len(), map.len());
            prop_assert_eq!(index.dims(), map.values().next().map(Vec::len));
        }
        for row in 0..2010 {
            prop_assert_eq!(index.get(row), map.get(&row).map(Vec::as_slice));
        }
        let views: Vec<&[f32]> = queries.iter().map(Vec::as_slice).collect();
        let allowed = |query: usize, row: u32| (row as usize + query) % 3 != 0;
        let found = index.nearest(&views, k, min, &allowed, &order);
        prop_assert_eq!(found.len(), queries.len());
        for (query, (found, vector)) in found.iter().zip(&queries).enumerate() {
            prop_assert_eq!(found, &twin(&map, vector, k, min, &|row| allowed(query, row)));
        }
    }

    #[test]
    fn a_clone_is_a_snapshot((steps, _) in case(), more in 0_usize..60) {
        let (mut index, mut map) = (VectorIndex::default(), BTreeMap::new());
        let at = more.min(steps.len());
        let later = steps[at..].to_vec();
        steps[..at].iter().for_each(|step| apply(&mut index, &mut map, step.clone()));
        let (snapshot, seen) = (index.clone(), map.clone());
        for step in later {
            apply(&mut index, &mut map, step);
        }
        for row in 0..2010 {
            prop_assert_eq!(snapshot.get(row), seen.get(&row).map(Vec::as_slice));
        }
    }
}

#[test]
fn blocks_of_long_vectors_join_up() {
    let mut index = VectorIndex::default();
    let unit = |at: u32| (0..4096).map(|j| f32::from(u8::from(j == at))).collect::<Vec<_>>();
    for row in 0..100 {
        index.set(row, &unit(row)).unwrap();
    }
    for row in (0..100).step_by(3) {
        assert!(index.remove(row));
    }
    let query = unit(50);
    let found = index.nearest(&[&query], 2, f64::NEG_INFINITY, &|_, _| true, &|a, b| a.cmp(&b));
    assert_eq!(found, [[(50, 1.0), (1, 0.0)]]);
    assert_eq!((index.len(), index.contains(99), index.contains(98)), (66, false, true));
}

#[test]
fn one_index_has_one_dimension() {
    let mut index = VectorIndex::default();
    assert_eq!(index.set(1, &[]).unwrap_err().code, Code::VectorDimension);
    index.set(1, &[1.0, 0.0]).unwrap();
    assert_eq!(index.set(2, &[1.0]).unwrap_err().code, Code::VectorDimension);
    assert_eq!(index.set(1, &[1.0, 0.0, 0.0]).unwrap_err().code, Code::VectorDimension);
    assert_eq!(index.get(1), Some(&[1.0, 0.0][..]));
    index.remove(1);
    assert_eq!(index.dims(), None);
    index.set(2, &[1.0]).unwrap();
    assert_eq!(index.dims(), Some(1));
}
