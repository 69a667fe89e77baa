"""Questions about a training, their answers from its trace, and what is said about them: for pages and worksheets."""
