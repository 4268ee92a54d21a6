"""Measuring recall: loaders for question sets, metrics, and the report of `corecall eval`."""

from corecall.evaluation.answers import Answers, compare_answers, sample
from corecall.evaluation.coding_memory import load_coding_memory
from corecall.evaluation.dataset import Corpus, DataError, Dataset, Memory, Question
from corecall.evaluation.embedders import CachedEmbedder, named_embedder
from corecall.evaluation.json_lines import load_json_lines
from corecall.evaluation.locomo import CATEGORIES, load_locomo
from corecall.evaluation.metrics import Estimate, estimate, misleading_metrics, ranking_metrics
from corecall.evaluation.provider import Provider, ProviderError
from corecall.evaluation.report import Report, report
from corecall.evaluation.run import RELATIONS, SHOWN_AT, Asked, Setting, ask_all, model_of, settings_for
from corecall.evaluation.tables import as_markdown, as_text

__all__ = [
    "CATEGORIES",
    "RELATIONS",
    "SHOWN_AT",
    "Answers",
    "Asked",
    "CachedEmbedder",
    "Corpus",
    "DataError",
    "Dataset",
    "Estimate",
    "Memory",
    "Provider",
    "ProviderError",
    "Question",
    "Report",
    "Setting",
    "as_markdown",
    "as_text",
    "ask_all",
    "compare_answers",
    "estimate",
    "load_coding_memory",
    "load_json_lines",
    "load_locomo",
    "misleading_metrics",
    "model_of",
    "named_embedder",
    "ranking_metrics",
    "report",
    "sample",
    "settings_for",
]
