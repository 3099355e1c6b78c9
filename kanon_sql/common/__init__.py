"""Helpers that know nothing about anonymization."""
