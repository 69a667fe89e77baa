"""What touches a disk: the model file, strict JSON and atomic writing.

    model ── model_file.dumps ──▸ bytes ── atomic ──▸ file ── json_guard ──▸ model_file.loads ──▸ model

The core never imports this package; `Model.save` and `pairloom.load` reach it when they are called.
"""
