//! What the codes rule out is never one of the nearest: `nearest` against sorting all cosines, where codes are used.

use std::cmp::Ordering;
use std::collections::BTreeMap;

use corecall_scoring::{VectorIndex, vector};
use proptest::prelude::*;

/// Chance that repeats itself.
struct Chance(u64);

impl Chance {
    fn below(&mut self, n: u64) -> u64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) % n
    }

    /// About normal: the sum of four even numbers.
    fn number(&mut self) -> f32 {
        (0..4).map(|_| self.below(1 << 20) as f32 / (1 << 20) as f32 - 0.5).sum()
    }

    fn numbers(&mut self, count: usize) -> Vec<f32> {
        (0..count).map(|_| self.number()).collect()
    }
}

/// Vectors as models make them: a common part, a spread that falls with the direction, some noise.
struct Texts {
    chance: Chance,
    dims: usize,
    mixing: Vec<Vec<f32>>,
}

impl Texts {
    fn new(dims: usize, rank: usize, seed: u64) -> Self {
        let mut chance = Chance(seed);
        let mixing = (0..rank).map(|_| chance.numbers(dims)).collect();
        Self { chance, dims, mixing }
    }

    fn vector(&mut self) -> Vec<f32> {
        let mut sum: Vec<f32> = self.mixing[0].iter().map(|x| x * 0.3).collect();
        for (at, direction) in self.mixing.iter().enumerate() {
            let share = self.chance.number() / (1.0 + at as f32 * 0.05);
            sum.iter_mut().zip(direction).for_each(|(sum, x)| *sum += share * x);
        }
        let noise = self.chance.numbers(self.dims);
        sum.iter_mut().zip(&noise).for_each(|(sum, x)| *sum += 0.3 * x);
        vector::normalise(&sum).unwrap()
    }
}

fn order(a: u32, b: u32) -> Ordering {
    (b % 5).cmp(&(a % 5)).then(b.cmp(&a))
}

fn twin(map: &BTreeMap<u32, Vec<f32>>, query: &[f32], k: usize, allowed: &dyn Fn(u32) -> bool) -> Vec<(u32, f64)> {
    let mut all: Vec<_> = map.iter().map(|(&row, vector)| (row, vector::dot(vector, query))).collect();
    all.retain(|&(row, _)| allowed(row));
    all.sort_by(|a, b| b.1.partial_cmp(&a.1).unwrap().then(order(a.0, b.0)));
    all.truncate(k);
    all
}

fn index_of(map: &BTreeMap<u32, Vec<f32>>) -> VectorIndex {
    let mut index = VectorIndex::default();
    for (&row, vector) in map {
        index.set(row, vector).unwrap();
    }
    index
}

fn compare(index: &VectorIndex, map: &BTreeMap<u32, Vec<f32>>, queries: &[Vec<f32>], k: usize) {
    let views: Vec<&[f32]> = queries.iter().map(Vec::as_slice).collect();
    for share in [1, 40] {
        let allowed = |query: usize, row: u32| (row as usize + query) % share == 0;
        let found = index.nearest(&views, k, f64::NEG_INFINITY, &allowed, &order);
        for (query, (found, vector)) in found.iter().zip(queries).enumerate() {
            assert_eq!(found, &twin(map, vector, k, &|row| allowed(query, row)));
        }
    }
}

/// Grown past the first fit, then changed and shrunk, with readers of older states.
#[test]
fn nearest_is_exact_while_the_index_changes() {
    let (mut texts, mut strange) = (Texts::new(384, 150, 1), Texts::new(384, 3, 2));
    let (mut index, mut map) = (VectorIndex::default(), BTreeMap::new());
    let queries: Vec<_> = (0..3).map(|_| texts.vector()).chain([strange.vector()]).collect();
    let set = |index: &mut VectorIndex, map: &mut BTreeMap<u32, Vec<f32>>, row: u32, vector: Vec<f32>| {
        index.set(row, &vector).unwrap();
        map.insert(row, vector);
    };
    let mut seen = Vec::new();
    for row in 0..5000 {
        set(&mut index, &mut map, row, texts.vector());
        if row % 1200 == 1199 {
            compare(&index, &map, &queries, 10);
            seen.push((index.clone(), map.clone()));
        }
    }
    // Nothing like what the codes were fitted to: another subspace, single axes, the mean itself, doubles.
    for row in 0..600_u32 {
        let vector = match row % 4 {
            0 => strange.vector(),
            1 => (0..384).map(|at| if at == row as usize % 384 { -1.0 } else { 0.0 }).collect(),
            2 => map[&(4000 + row % 7)].clone(),
            _ => vector::normalise(&vec![1.0; 384]).unwrap(),
        };
        set(&mut index, &mut map, row * 11, vector);
    }
    compare(&index, &map, &queries, 10);
    compare(&index, &map, &[map[&11].clone(), map[&4003].clone()], 300);
    for row in 0..4000 {
        assert_eq!(index.remove(row), map.remove(&row).is_some());
    }
    compare(&index, &map, &queries, 10);
    for (index, map) in &seen {
        compare(index, map, &queries, 10);
    }
}

/// Every number of dimensions ends its lines elsewhere.
#[test]
fn nearest_is_exact_in_any_dimension() {
    for dims in [1, 2, 63, 64, 65, 71, 100, 127, 128, 129, 256, 300, 768, 1023, 1536, 4096] {
        let mut texts = Texts::new(dims, 12, dims as u64);
        let count = (200_000 / dims as u32).clamp(60, 300);
        let map: BTreeMap<_, _> = (0..count).map(|row| (row * 3, texts.vector())).collect();
        let index = index_of(&map);
        compare(&index, &map, &[texts.vector(), map[&30].clone()], 7);
    }
}

/// Directions of several dimensions are fitted, and not all of a multiple of anything.
#[test]
fn nearest_is_exact_once_directions_are_fitted() {
    for dims in [128, 130, 201] {
        let mut texts = Texts::new(dims, dims / 3, dims as u64);
        let map: BTreeMap<_, _> = (0..4500).map(|row| (row, texts.vector())).collect();
        let index = index_of(&map);
        let queries: Vec<_> = (0..20).map(|_| texts.vector()).collect();
        compare(&index, &map, &queries, 10);
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(60))]

    /// The index takes unit vectors, but its bounds don't rest on it.
    #[test]
    fn nearest_is_exact_at_any_length(
        dims in 64_usize..140, seed in any::<u64>(), powers in prop::collection::vec(-140_i32..120, 1..4), k in 1_usize..9
    ) {
        let mut chance = Chance(seed);
        let mut next = |row: usize| -> Vec<f32> {
            let power = libm::exp2f(powers[row % powers.len()] as f32);
            chance.numbers(dims).iter().map(|x| x * power).collect()
        };
        let map: BTreeMap<u32, Vec<f32>> = (0..250).map(|row| (row, next(row as usize))).collect();
        let queries = [next(0), next(1)];
        let index = index_of(&map);
        compare(&index, &map, &queries, k);
    }
}
