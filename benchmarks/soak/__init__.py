"""Long runs against the server program: what nobody wants to wait for in every test run. `make soak` starts them."""
