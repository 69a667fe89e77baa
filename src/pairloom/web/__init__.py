"""The pages: Starlette, Jinja2 and htmx around the core. `app.create_app` makes them, `server.serve` shows them."""
