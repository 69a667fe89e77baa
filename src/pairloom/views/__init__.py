"""What is shown, before how: values shared by the command line, the pages, their JSON and notebooks."""
