//! How many associations are wanted, and which (contract 1, `related_settings`).

use corecall_types::{Code, Error, Result};
use serde::{Deserialize, Serialize};

/// The labels of associations, in the order in which they are looked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Relation {
    /// The newest live endpoint of what replaced the hit.
    NewVersion,
    /// What the hit replaced.
    OldVersion,
    /// What it contradicts or is contradicted by. Must be asked for.
    Contradicts,
    /// What its writer, or the writer of the other, linked.
    SeeAlso,
    /// What it was made from. Must be asked for.
    DerivedFrom,
    /// What was made from it. Must be asked for.
    Derivative,
    /// What is usually recalled together with it.
    CoRecall,
    /// What lies near it.
    Neighbor,
}

impl Relation {
    /// Every label, in order.
    pub const ALL: [Self; 8] = [
        Self::NewVersion,
        Self::OldVersion,
        Self::Contradicts,
        Self::SeeAlso,
        Self::DerivedFrom,
        Self::Derivative,
        Self::CoRecall,
        Self::Neighbor,
    ];

    /// The five that are given unless others are asked for.
    pub const DEFAULT: [Self; 5] = [Self::NewVersion, Self::OldVersion, Self::SeeAlso, Self::CoRecall, Self::Neighbor];

    /// The wire name.
    pub const fn name(self) -> &'static str {
        match self {
            Self::NewVersion => "new_version",
            Self::OldVersion => "old_version",
            Self::Contradicts => "contradicts",
            Self::SeeAlso => "see_also",
            Self::DerivedFrom => "derived_from",
            Self::Derivative => "derivative",
            Self::CoRecall => "co_recall",
            Self::Neighbor => "neighbor",
        }
    }
}

/// Budgets and thresholds of associations; every field is optional on the wire.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct RelatedSettings {
    /// False: no associations, superseded hints only.
    pub enabled: bool,
    /// Associations in all, 0 to 64.
    pub max: u32,
    /// Associations a hit may bring, over all relations, 0 to 64.
    pub per_source: u32,
    /// Co-recall pairs below it don't count, 1 to 2^32.
    pub pair_min: u64,
    /// Neighbours below it don't count, −1 to 1; `None`: the model's own.
    pub min_cos: Option<f64>,
    /// How many of the first hits that have a vector bring neighbours, 0 to 64.
    pub knn_seeds: u32,
    /// Neighbours a seed may bring, 0 to 64.
    pub knn_per: u32,
    /// The labels wanted; their order doesn't matter.
    pub relations: Vec<Relation>,
    /// Adds the ledger.
    pub explain: bool,
}

impl Default for RelatedSettings {
    fn default() -> Self {
        Self {
            enabled: true,
            max: 8,
            per_source: 3,
            pair_min: 2,
            min_cos: None,
            knn_seeds: 3,
            knn_per: 2,
            relations: Relation::DEFAULT.to_vec(),
            explain: false,
        }
    }
}

impl RelatedSettings {
    /// The largest count of any budget.
    pub const BUDGET_MAX: u32 = 64;
    /// The largest `pair_min`.
    pub const PAIR_MIN_MAX: u64 = 1 << 32;

    /// Checks every range. Errors: `argument.range` at the field, `argument.duplicate` at `relations[i]`.
    pub fn validate(&self) -> Result<()> {
        let budgets = [
            ("max", self.max),
            ("per_source", self.per_source),
            ("knn_seeds", self.knn_seeds),
            ("knn_per", self.knn_per),
        ];
        for (name, value) in budgets {
            if value > Self::BUDGET_MAX {
                return Err(out_of_range(name, "a whole number from 0 to 64"));
            }
        }
        if !(1..=Self::PAIR_MIN_MAX).contains(&self.pair_min) {
            return Err(out_of_range("pair_min", "a whole number from 1 to 4294967296"));
        }
        if self.min_cos.is_some_and(|cosine| !(-1.0..=1.0).contains(&cosine)) {
            return Err(out_of_range("min_cos", "a number from -1 to 1"));
        }
        for (index, relation) in self.relations.iter().enumerate() {
            if self.relations[..index].contains(relation) {
                let message = format!("{} is listed twice; name each relation once", relation.name());
                return Err(Error::new(Code::ArgumentDuplicate, message).at(format!("relations[{index}]")));
            }
        }
        Ok(())
    }

    /// Whether `relation` is asked for.
    pub fn wants(&self, relation: Relation) -> bool {
        self.relations.contains(&relation)
    }
}

fn out_of_range(name: &str, range: &str) -> Error {
    Error::new(Code::ArgumentRange, format!("{name} is out of range; pass {range}")).at(name)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn refusal(json: &str) -> (Code, String) {
        let settings: RelatedSettings = serde_json::from_str(json).unwrap();
        let error = settings.validate().unwrap_err();
        (error.code, error.path)
    }

    #[test]
    fn absent_fields_have_the_defaults_of_the_contract() {
        let settings: RelatedSettings = serde_json::from_str("{}").unwrap();
        assert_eq!(settings, RelatedSettings::default());
        assert!(settings.enabled && !settings.explain && settings.min_cos.is_none());
        assert_eq!((settings.max, settings.per_source, settings.pair_min), (8, 3, 2));
        assert_eq!((settings.knn_seeds, settings.knn_per), (3, 2));
        let names: Vec<_> = settings.relations.iter().map(|relation| relation.name()).collect();
        assert_eq!(names, ["new_version", "old_version", "see_also", "co_recall", "neighbor"]);
    }

    #[test]
    fn both_ends_of_every_range_are_accepted() {
        for json in [
            r#"{"max":0,"per_source":0,"knn_seeds":0,"knn_per":0,"pair_min":1,"min_cos":-1,"relations":[]}"#,
            r#"{"max":64,"per_source":64,"knn_seeds":64,"knn_per":64,"pair_min":4294967296,"min_cos":1.0}"#,
        ] {
            let settings: RelatedSettings = serde_json::from_str(json).unwrap();
            assert_eq!(settings.validate(), Ok(()), "{json}");
        }
    }

    #[test]
    fn what_is_out_of_range_is_refused_at_its_field() {
        for (json, path) in [
            (r#"{"max":65}"#, "max"),
            (r#"{"per_source":65}"#, "per_source"),
            (r#"{"knn_seeds":65}"#, "knn_seeds"),
            (r#"{"knn_per":65}"#, "knn_per"),
            (r#"{"pair_min":0}"#, "pair_min"),
            (r#"{"pair_min":4294967297}"#, "pair_min"),
            (r#"{"min_cos":1.0000001}"#, "min_cos"),
            (r#"{"min_cos":-1.5}"#, "min_cos"),
        ] {
            assert_eq!(refusal(json), (Code::ArgumentRange, path.to_owned()));
        }
        let nan = RelatedSettings { min_cos: Some(f64::NAN), ..RelatedSettings::default() };
        assert_eq!(nan.validate().unwrap_err().path, "min_cos");
    }

    #[test]
    fn a_relation_named_twice_is_refused_at_the_second() {
        let json = r#"{"relations":["see_also","neighbor","see_also"]}"#;
        assert_eq!(refusal(json), (Code::ArgumentDuplicate, "relations[2]".to_owned()));
    }

    #[test]
    fn unknown_fields_and_relations_do_not_pass() {
        for json in [r#"{"maximum":8}"#, r#"{"relations":["similar"]}"#] {
            assert!(serde_json::from_str::<RelatedSettings>(json).is_err(), "{json}");
        }
    }

    #[test]
    fn wire_names_are_those_serde_writes() {
        for relation in Relation::ALL {
            assert_eq!(serde_json::to_value(relation).unwrap(), relation.name());
        }
    }
}
