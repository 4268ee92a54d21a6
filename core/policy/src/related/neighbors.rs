//! What lies near the first hits.

use crate::related::Reason;
use crate::related::pass::{Candidate, Pass};
use crate::{Neighbours, Relation, Row};

/// `neighbor`: the nearest memories of the first hits that have a vector.
pub(crate) fn nearest(pass: &mut Pass<'_>, neighbours: &dyn Neighbours) {
    let with_vector = (0..pass.hits.len()).filter(|source| neighbours.has_vector(pass.hits[*source]));
    let seeds: Vec<usize> = with_vector.take(pass.query.settings.knn_seeds as usize).collect();
    if pass.explains() {
        consider_all(pass, neighbours, &seeds);
    } else {
        take_nearest(pass, neighbours, &seeds);
    }
}

/// Asks only for what could be taken. A seed's neighbour may go to an earlier seed, so each is asked for as
/// many as all of them may bring together.
fn take_nearest(pass: &mut Pass<'_>, neighbours: &dyn Neighbours, seeds: &[usize]) {
    let seeds: Vec<usize> = seeds.iter().copied().filter(|source| !pass.is_closed(*source)).collect();
    let per_seed = pass.query.settings.knn_per as usize;
    if seeds.is_empty() || per_seed == 0 {
        return;
    }
    // Asked once a memory, so a look into a table.
    let mut shown = vec![false; pass.graph.row_bound()];
    pass.shown().for_each(|row| shown[row as usize] = true);
    let allowed = |row: Row| {
        pass.heads.eligible(row) && !pass.graph.is_trivial(row) && !shown[row as usize] && pass.heads.of(row).is_none()
    };
    let rows: Vec<Row> = seeds.iter().map(|source| pass.hits[*source]).collect();
    let order = |a, b| pass.graph.newest_first(a, b);
    let lists = neighbours.nearest(&rows, pass.query.min_cos, per_seed * seeds.len(), &allowed, &order);
    for (source, list) in seeds.into_iter().zip(lists) {
        let mut brought = 0;
        for (row, _) in list {
            if brought == per_seed || pass.is_closed(source) {
                break;
            }
            brought += usize::from(pass.offer(source, Relation::Neighbor, pass.candidate(row)));
        }
    }
}

/// Looks at every memory that has a vector, down to and including the first below the threshold.
fn consider_all(pass: &mut Pass<'_>, neighbours: &dyn Neighbours, seeds: &[usize]) {
    let rows: Vec<Row> = seeds.iter().map(|source| pass.hits[*source]).collect();
    let order = |a, b| pass.graph.newest_first(a, b);
    let lists = neighbours.nearest(&rows, f64::NEG_INFINITY, usize::MAX, &|_| true, &order);
    for (&source, list) in seeds.iter().zip(lists) {
        let mut brought = 0;
        for (row, cosine) in list {
            let is_below = cosine < pass.query.min_cos;
            let is_spent = brought == pass.query.settings.knn_per;
            let flaw = match (is_below, is_spent) {
                (true, _) => Some(Reason::BelowThreshold),
                (false, true) => Some(Reason::PerSource),
                (false, false) => None,
            };
            let candidate = Candidate { flaw, ..pass.candidate(row) };
            brought += u32::from(pass.offer(source, Relation::Neighbor, candidate));
            if is_below {
                break;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::Relation::Neighbor;
    use crate::testing::{Call, graph, memory};

    #[test]
    fn the_nearest_come_first_ties_by_newest_then_greatest_id() {
        let graph = graph([
            memory("s"),
            memory("far"),
            memory("near").day(1),
            memory("nearer"),
            memory("tie").day(2),
            memory("tied").day(2),
        ]);
        let angles = [("s", 0), ("far", 90), ("near", 20), ("nearer", 10), ("tie", 20), ("tied", -20)];
        let call = || {
            let wide = |settings: &mut crate::RelatedSettings| (settings.knn_per, settings.per_source) = (9, 9);
            Call::new(&graph, &["s"]).only(Neighbor).angles(&angles).set(wide)
        };
        assert_eq!(call().shown(), ["s neighbor nearer", "s neighbor tied", "s neighbor tie", "s neighbor near"]);
        assert_eq!(call().drops(), ["s neighbor far BelowThreshold"]);
    }

    #[test]
    fn the_threshold_itself_is_near_enough() {
        let graph = graph(["s", "a"].map(memory));
        let call = |min_cos| {
            let set = |settings: &mut crate::RelatedSettings| settings.min_cos = Some(min_cos);
            Call::new(&graph, &["s"]).only(Neighbor).angles(&[("s", 0), ("a", 0)]).set(set)
        };
        assert_eq!(call(1.0).shown(), ["s neighbor a"]);
    }

    #[test]
    fn replaced_trivial_dead_and_out_of_scope_memories_are_no_neighbours() {
        let graph = graph([
            memory("s").project("p"),
            memory("replaced").project("p"),
            memory("new").supersedes("replaced").project("p"),
            memory("replaced elsewhere").project("p"),
            memory("elsewhere").supersedes("replaced elsewhere"),
            memory("diary").project("p").trivial(),
            memory("dead").project("p").deleted(),
        ]);
        let angles =
            [("s", 0), ("replaced", 1), ("elsewhere", 2), ("diary", 3), ("dead", 4), ("replaced elsewhere", 5)];
        let call = || Call::new(&graph, &["s"]).only(Neighbor).angles(&angles).project("p");
        assert_eq!(call().shown(), ["s neighbor replaced elsewhere"]);
        assert_eq!(
            call().drops(),
            [
                "s neighbor replaced Superseded",
                "s neighbor elsewhere OutOfScope",
                "s neighbor diary Diary",
                "s neighbor dead Deleted",
            ]
        );
    }

    #[test]
    fn seeds_are_the_first_hits_that_have_a_vector() {
        let graph = graph(["s", "t", "u", "v", "a", "b", "c"].map(memory));
        let angles = [("t", 0), ("u", 100), ("v", 200), ("a", 1), ("b", 101), ("c", 201)];
        let call = Call::new(&graph, &["s", "t", "u", "v"]).only(Neighbor).angles(&angles);
        assert_eq!(call.set(|settings| settings.knn_seeds = 2).shown(), ["t neighbor a", "u neighbor b"]);
    }

    #[test]
    fn a_seed_goes_on_past_what_an_earlier_one_took() {
        let graph = graph(["s", "t", "a", "b", "c", "d", "e"].map(memory));
        let angles = [("s", 0), ("t", 10), ("a", 5), ("b", 6), ("c", 7), ("d", 20), ("e", 30)];
        let call = || Call::new(&graph, &["s", "t"]).only(Neighbor).angles(&angles);
        assert_eq!(call().shown(), ["s neighbor a", "s neighbor b", "t neighbor c", "t neighbor d"]);
    }

    #[test]
    fn a_spent_seed_drops_the_rest_down_to_the_first_below_the_threshold() {
        let graph = graph(["s", "a", "b", "c", "d"].map(memory));
        let angles = [("s", 0), ("a", 5), ("b", 6), ("c", 80), ("d", 90)];
        let call = Call::new(&graph, &["s"]).only(Neighbor).angles(&angles).set(|settings| settings.knn_per = 1);
        assert_eq!(call.drops(), ["s neighbor b PerSource", "s neighbor c BelowThreshold"]);
    }

    #[test]
    fn no_seeds_or_none_each_give_nothing() {
        let graph = graph(["s", "a"].map(memory));
        let call = || Call::new(&graph, &["s"]).only(Neighbor).angles(&[("s", 0), ("a", 1)]);
        assert_eq!(call().set(|settings| settings.knn_seeds = 0).shown(), [""; 0]);
        assert_eq!(call().set(|settings| settings.knn_per = 0).shown(), [""; 0]);
        assert_eq!(call().set(|settings| settings.knn_per = 0).drops(), ["s neighbor a PerSource"]);
    }
}
