"""Tests of `corecall eval`, and the data they are made on."""
