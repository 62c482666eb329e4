"""The rules, proved on their own and by the vectors."""
