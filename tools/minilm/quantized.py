"""all-MiniLM-L6-v2 for the server: 8-bit weights, one text a run. See README.md.

    python quantized.py --out model.onnx

Word embeddings: int8 with a scale a row. Dense layers and attention: int8 with a scale an output channel, activations
quantised while it runs. The rest stays float32. Input `ids`, int32 [1, length], with [CLS] and [SEP]; output `sum`,
float32 [1, 384]: the sum of the last hidden states, which is the mean pooling but for the length.
"""
import argparse
from pathlib import Path

import numpy as np
from onnx import ModelProto, TensorProto, checker, helper, numpy_helper

from encoder import MAX_PIECES, model_folder, read_model

# Weights keep to 7 of 8 bits: on x86 without VNNI instructions two products are added in 16 bits, and 8 would overflow.
LARGEST = 63


def quantize(weights: np.ndarray, axis: int, largest: int) -> tuple[np.ndarray, np.ndarray]:
    """Symmetric: weights = scale * numbers, one scale for each index that is not summed over by `axis`."""
    scales = np.abs(weights).max(axis=axis, keepdims=True) / largest
    scales = np.where(scales == 0, 1, scales).astype(np.float32)
    return np.clip(np.rint(weights / scales), -largest, largest).astype(np.int8), scales


def build_quantized(folder: Path, largest: int = LARGEST) -> ModelProto:
    config, weights = read_model(folder)
    nodes, initializers = [], []

    def constant(name: str, value: np.ndarray) -> str:
        initializers.append(numpy_helper.from_array(np.ascontiguousarray(value), name))
        return name

    def node(operator: str, inputs: list[str], outputs: list[str], domain: str = "", **attributes) -> str:
        nodes.append(helper.make_node(operator, inputs, outputs, name=outputs[0], domain=domain, **attributes))
        return outputs[0]

    def own(operator: str, inputs: list[str], outputs: list[str], **attributes) -> str:
        return node(operator, inputs, outputs, "com.microsoft", **attributes)

    def matrix(name: str, value: np.ndarray) -> list[str]:
        numbers, scales = quantize(value, 0, largest)
        return [constant(name, numbers), constant(name + ".scale", scales[0])]

    epsilon = config["layer_norm_eps"]
    words, word_scales = quantize(weights["embeddings.word_embeddings.weight"], 1, 127)
    # Every text is one segment, so the segment's row is added to the positions once and for all.
    positions = weights["embeddings.position_embeddings.weight"] + weights["embeddings.token_type_embeddings.weight"][0]
    node("Gather", [constant("words", words), "ids"], ["word.numbers"])
    node("Gather", [constant("words.scale", word_scales), "ids"], ["word.scales"])
    node("Cast", ["word.numbers"], ["word.floats"], to=TensorProto.FLOAT)
    node("Mul", ["word.floats", "word.scales"], ["word"])
    zero, one = constant("zero", np.array([0], np.int64)), constant("one", np.array([1], np.int64))
    node("Shape", ["ids"], ["length"], start=1)
    node("Slice", [constant("positions", positions[:MAX_PIECES]), zero, "length", zero], ["position"])
    node("Add", ["word", "position"], ["placed"])
    state = node("LayerNormalization",
                 ["placed", constant("embed.gamma", weights["embeddings.LayerNorm.weight"]),
                  constant("embed.beta", weights["embeddings.LayerNorm.bias"])], ["embedded"], epsilon=epsilon)

    for layer in range(config["num_hidden_layers"]):
        part = lambda name: weights[f"encoder.layer.{layer}.{name}"]
        p = f"layer{layer}."
        names = ("query", "key", "value")
        qkv = np.concatenate([part(f"attention.self.{n}.weight").T for n in names], axis=1)
        qkv_bias = constant(p + "qkv_bias", np.concatenate([part(f"attention.self.{n}.bias") for n in names]))
        node("DynamicQuantizeLinear", [state], [p + "input", p + "input.scale", p + "input.zero"])
        numbers, scales = matrix(p + "qkv", qkv)
        zeros = constant(p + "qkv.zero", np.zeros(qkv.shape[1], np.int8))
        attended = own("QAttention",
                       [p + "input", numbers, qkv_bias, p + "input.scale", scales, "", p + "input.zero", zeros],
                       [p + "attended"], num_heads=config["num_attention_heads"])
        own("DynamicQuantizeMatMul", [attended, *matrix(p + "output", part("attention.output.dense.weight").T)],
            [p + "projected"])
        middle = own("SkipLayerNormalization",
                     [p + "projected", state, constant(p + "gamma1", part("attention.output.LayerNorm.weight")),
                      constant(p + "beta1", part("attention.output.LayerNorm.bias")),
                      constant(p + "output_bias", part("attention.output.dense.bias"))], [p + "middle"], epsilon=epsilon)
        own("DynamicQuantizeMatMul", [middle, *matrix(p + "up", part("intermediate.dense.weight").T)], [p + "raised"])
        own("BiasGelu", [p + "raised", constant(p + "up_bias", part("intermediate.dense.bias"))], [p + "activated"])
        own("DynamicQuantizeMatMul", [p + "activated", *matrix(p + "down", part("output.dense.weight").T)],
            [p + "lowered"])
        state = own("SkipLayerNormalization",
                    [p + "lowered", middle, constant(p + "gamma2", part("output.LayerNorm.weight")),
                     constant(p + "beta2", part("output.LayerNorm.bias")),
                     constant(p + "down_bias", part("output.dense.bias"))], [p + "state"], epsilon=epsilon)

    node("ReduceSum", [state, one], ["sum"], keepdims=0)
    graph = helper.make_graph(
        nodes, "all-MiniLM-L6-v2-int8",
        [helper.make_tensor_value_info("ids", TensorProto.INT32, [1, "length"])],
        [helper.make_tensor_value_info("sum", TensorProto.FLOAT, [1, config["hidden_size"]])],
        initializers)
    model = helper.make_model(graph, producer_name="carrel", ir_version=8, opset_imports=[
        helper.make_opsetid("", 17), helper.make_opsetid("com.microsoft", 1)])
    checker.check_model(model)
    return model


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--out", type=Path, required=True)
    options = parser.parse_args()
    options.out.write_bytes(build_quantized(model_folder()).SerializeToString(deterministic=True))
    print(f"{options.out}: {options.out.stat().st_size} bytes")


if __name__ == "__main__":
    main()
