"""The demonstration: a project log of seven months, and ten questions to it. It uses the public Python API only."""

from corecall.demo.log import Memory, Question, memories, questions
from corecall.demo.run import Answer, ask, fill

__all__ = ["Answer", "Memory", "Question", "ask", "fill", "memories", "questions"]
