"""What touches a disk: the model file, other tools' formats, strict JSON and atomic writing.

    model ── exchange.export_files ──▸ files of other tools ── exchange.import_files ──▸ report by line, model
    model ── model_file.dumps ──▸ bytes ── atomic ──▸ file ── json_guard ──▸ model_file.loads ──▸ model

The core never imports this package; `Model.save` and `pairloom.load` reach it when they are called.
"""
