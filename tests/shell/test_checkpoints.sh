#!/bin/sh
# Checkpoints: each architecture's X, A, hidden and logits are PyTorch's, and hostile ones are refused with the tensor named.
# usage: BUILD=build tests/shell/test_checkpoints.sh
. "$(dirname "$0")/../tap.sh"
script=$top/tests/reference/check_checkpoints.py

same_as_pytorch() {
    "$python" "$script" "$program" "$tree/reference" >log 2>&1
}

python=$(python_with torch)
if [ -n "$python" ]; then
    result "every architecture runs as PyTorch runs it" same_as_pytorch
else
    skip "every architecture runs as PyTorch runs it" "python3-torch is not installed"
fi

same_as_transformers() {
    python3 "$top/tests/reference/check_transformers.py" "$program" "$tree/transformers" >log 2>&1
}
if python3 -c 'import tokenizers, transformers, torch' >/dev/null 2>&1; then
    result "checkpoints of the library transformers run as it runs them" same_as_transformers
else
    skip "checkpoints of the library transformers run as it runs them" "transformers is not installed"
fi

command -v python3 >/dev/null 2>&1 || {
    skip "hostile checkpoints" "python3 is not installed"
    echo "1..$count"
    exit $failures
}

# Write a checkpoint of one Llama layer with two key heads into a folder, and let code change it:
# shapes (by name), config, index, values (by name), value (of the others), architecture.txt.
cat >checkpoint.py <<'END'
import json, struct
D, H, G, K = 8, 4, 2, 4
p = "model.layers.0.self_attn."
shapes = {p + "q_proj.weight": [H * K, D], p + "k_proj.weight": [G * K, D],
          p + "v_proj.weight": [G * K, D], p + "o_proj.weight": [D, H * K]}
config, index, dtypes, values, value = {"num_attention_heads": H, "num_key_value_heads": G}, None, {}, {}, 0.25
described = None
b = "model.layers.0."
def whole():
    shapes.update({"model.embed_tokens.weight": [9, D], "lm_head.weight": [9, D], "model.norm.weight": [D],
                   b + "input_layernorm.weight": [D], b + "post_attention_layernorm.weight": [D],
                   b + "mlp.gate_proj.weight": [6, D], b + "mlp.up_proj.weight": [6, D],
                   b + "mlp.down_proj.weight": [D, 6]})
def only(names):
    config.pop("num_key_value_heads", None)
    shapes.clear()
    shapes.update({name: shape for line in names for name, shape in line.items()})
def gpt2():
    h, parts = "h.0.", {"ln_1": [D], "attn.c_attn": [D, 3 * D], "attn.c_proj": [D, D], "ln_2": [D],
                        "mlp.c_fc": [D, 6], "mlp.c_proj": [6, D]}
    only([{"wte.weight": [9, D], "wpe.weight": [9, D], "ln_f.weight": [D], "ln_f.bias": [D]}] +
         [{h + n + ".weight": s, h + n + ".bias": s[-1:]} for n, s in parts.items()])
def bert():
    e, h, head = "bert.embeddings.", "bert.encoder.layer.0.", "cls.predictions.transform."
    parts = {"attention.self.query": [D, D], "attention.self.key": [D, D], "attention.self.value": [D, D],
             "attention.output.dense": [D, D], "attention.output.LayerNorm": [D], "intermediate.dense": [6, D],
             "output.dense": [D, 6], "output.LayerNorm": [D]}
    only([{e + n + "_embeddings.weight": [9, D] for n in ("word", "position", "token_type")},
          {e + "LayerNorm." + n: [D] for n in ("weight", "bias")}, {head + "dense.weight": [D, D], head + "dense.bias": [D]},
          {head + "LayerNorm." + n: [D] for n in ("weight", "bias")}, {"cls.predictions.bias": [9]}] +
         [{h + n + ".weight": s, h + n + ".bias": s[:1]} for n, s in parts.items()])
def lens():
    h = "blocks.0."
    only([{"embed.W_E": [9, D], "pos_embed.W_pos": [9, D], "unembed.W_U": [D, 9], h + "attn.W_O": [H, K, D]},
          {h + "attn.W_" + n: [H, D, K] for n in "QKV"}, {n + e: [D] for n in (h + "ln1.", "ln_final.") for e in "wb"}])
exec(code)
header, at, data = {}, 0, b""
for name, shape in shapes.items():
    count = 1
    for n in shape:
        count *= n
    kind = dtypes.get(name, "F32")
    part = struct.pack("<f", values.get(name, value)) * count if kind == "F32" else b"\0" * 4 * count
    header[name] = {"dtype": kind, "shape": shape, "data_offsets": [at, at + len(part)]}
    data += part
    at += len(part)
text = json.dumps(header).encode()
open(folder + "/model.safetensors", "wb").write(struct.pack("<Q", len(text)) + text + data)
if config is not None:
    open(folder + "/config.json", "w").write(config if isinstance(config, str) else json.dumps(config))
if described is not None:
    open(folder + "/architecture.txt", "w").write(described)
if index is not None:
    open(folder + "/model.safetensors.index.json", "w").write(json.dumps({"weight_map": index}))
END
cat >checkpoints.py <<'END'
import sys
make = compile(open("checkpoint.py").read(), "checkpoint.py", "exec")
def word():
    byte, out = b"", b""
    while (byte := sys.stdin.buffer.read(1)) not in (b"", b"\0"):
        out += byte
    return out.decode()
while folder := word():
    exec(make, {"folder": folder, "code": word()})
    print(flush=True)
END
# One process for all, because starting Python takes longer than writing a checkpoint.
mkfifo asked made
python3 checkpoints.py <asked >made &
exec 3>asked 4<made
make_checkpoint() { # make_checkpoint FOLDER CODE
    mkdir -p "$1"
    printf '%s\0%s\0' "$1" "$2" >&3
    read -r _ <&4
}

refused() { # refused STATUS PATTERN WORDS...
    expected=$1 pattern=$2
    shift 2
    "$program" export -o never.npz "$@" >out 2>log
    [ $? -eq "$expected" ] && [ ! -s out ] && [ ! -e never.npz ] && [ "$(wc -l <log)" -eq 1 ] && grep -q -e "$pattern" log
}

number=0
refuse() { # refuse STATUS PATTERN CODE WORDS...
    status=$1 expression=$2 code=$3
    shift 3
    number=$((number + 1))
    make_checkpoint "bad$number" "$code"
    result "refused: $code $*" refused "$status" "$expression" --weights "bad$number" "$@"
}

opens() {
    make_checkpoint good ''
    "$program" export -o good.safetensors --weights good >log 2>&1 &&
        "$program" export -o file.safetensors --weights good/model.safetensors >log 2>&1 &&
        "$program" render -o good.png --size 1000x700 --weights good >log 2>&1
}
result "a folder and its file open" opens
opens_index() {
    make_checkpoint shards 'index = {n: "model.safetensors" for n in shapes}'
    "$program" export -o shards.safetensors --weights shards/model.safetensors.index.json >log 2>&1 &&
        "$program" export -o folder.safetensors --weights shards >log 2>&1 &&
        [ "$(tail -c 1000 shards.safetensors | cksum)" = "$(tail -c 1000 folder.safetensors | cksum)" ]
}
result "an index of shards opens" opens_index
window_takes() { # it gets as far as the display
    ! SDL_VIDEODRIVER=nowhere "$program" "$1" 2>log && grep -q 'there is no display' log
}
result "the window takes a folder" window_takes good/

# A matrix of one row is no bias: d_model 1, with biases, and one head of width 1.
narrow() {
    make_checkpoint narrow "$(printf '%s\n' 'config = {"num_attention_heads": 1}; p = "h.0.attn.attention."' \
        'shapes = {p + n + "_proj." + e: [1] * (1 + (e[0] == "w")) for n in ("q", "k", "v", "out") for e in ("weight", "bias")}' \
        'values = {p + "q_proj.weight": 2, p + "q_proj.bias": 3, p + "out_proj.weight": 4, p + "out_proj.bias": 5}')"
    "$program" export -o narrow.json --weights narrow >log 2>&1 && python3 - <<'END' >log 2>&1
import json
t = json.load(open("narrow.json"))["tensors"]
assert [t[n]["data"] for n in ("W_Q", "b_Q", "W_O", "b_O")] == [[[[2]]], [[3]], [[4]], [5]], t
END
}
result "a layer of width 1" narrow

# Without config.json the shapes have the number of key heads; QK-norm's gain has that of all heads.
shapes_have_heads() {
    make_checkpoint plain 'config = None'
    "$program" export -o plain.safetensors --weights plain --heads 4 >log 2>&1 &&
        [ "$(tail -c 1000 plain.safetensors | cksum)" = "$(tail -c 1000 good.safetensors | cksum)" ] || return 1
    make_checkpoint normed "config = None; shapes.update({p + c + '_norm.weight': [K] for c in 'qk'})"
    "$program" export -o normed.json --weights normed >log 2>&1 && python3 - <<'END' >log 2>&1
import json
t = json.load(open("normed.json"))["tensors"]
assert (t["A"]["shape"][0], t["W_K"]["shape"]) == (4, [4, 8, 4]), t["W_K"]["shape"]
END
}
result "heads follow from the shapes" shapes_have_heads

# The scheme next to the trained standard deviations is the one that the model started from.
starts_from() {
    make_checkpoint range 'config["initializer_range"] = 0.02'
    "$program" export -o range.json --weights range >log 2>&1 && grep -q 'init=normal_002' range.json &&
        "$program" export -o range.json --weights range --init he_normal >log 2>&1 && grep -q 'init=he_normal' range.json
}
result "the scheme of config.json's initializer_range" starts_from

# A file whose objects nest deeply cannot cost a search of all of them for each key.
nested() { # nested LEVELS
    make_checkpoint "nested$1" "$(printf '%s\n' "for i in range($1):" '    config = {"text_config": config}')"
    "$program" export -o nested.safetensors --weights "nested$1" >log 2>&1
}
nested_too_deep() {
    ! nested 4 && grep -q 'heads: is missing' log
}
result "objects in config.json, 3 levels deep" nested 3
result "and no deeper" nested_too_deep

# Another layer: by option, by state string, and in the window, where the picture says so.
TWO='shapes.update({n.replace("layers.0", "layers.1"): s for n, s in shapes.items()})'
chooses_layer() {
    make_checkpoint two "$TWO"
    "$program" export -o option.safetensors --weights two --layer 2 >log 2>&1 &&
        "$program" export -o state.safetensors --state 'weights=two&layer=2' >log 2>&1 &&
        cmp option.safetensors state.safetensors >log 2>&1 &&
        "$program" render -o two.svg --weights two --keys 'Ctrl+K@0.2 "layer 2"@0.4 Enter@3' >log 2>&1 &&
        "$program" render -o next.svg --weights two --keys '}@0.2' --time 3 >log 2>&1 &&
        grep -q 'layer 2 of 2' next.svg &&
        grep -q 'layer=2' two.svg && grep -q 'layer 2 of 2, on random X' two.svg
}
result "another layer is chosen" chooses_layer
refuse 2 'layer 2: .* has 1 layer$' '' --layer 2
refuse 2 '^headlight: heads: is missing, because .*no config.json' 'config = None'
refuse 1 'q_proj.weight”: its outputs, 16, do not fit 5 heads' 'config["num_attention_heads"] = 5'
refuse 1 'num_attention_heads” must be a whole number from 1 to 64' 'config["num_attention_heads"] = 10**9'
refuse 1 'num_attention_heads” must be' 'config["num_attention_heads"] = -4'
refuse 1 'num_attention_heads” must be' 'config["num_attention_heads"] = "4"'
refuse 1 'num_key_value_heads” must be' 'config["num_key_value_heads"] = 0'
refuse 1 'config.json cannot be read' 'config = "[" * 100000'
refuse 1 'tensor “model.layers.0.self_attn.k_proj.weight”: shape is \[8, 9\]' 'shapes[p + "k_proj.weight"] = [8, 9]'
refuse 1 'o_proj.weight”: shape is \[8, 15\]; 128 entries' 'shapes[p + "o_proj.weight"] = [8, 15]'
refuse 1 'q_proj.weight”: shape is \[128\]; rank 2' 'shapes[p + "q_proj.weight"] = [128]'
refuse 1 'v_proj.weight”: is not in' 'del shapes[p + "v_proj.weight"]'
refuse 1 'q_proj.weight”: has a value that is not finite' 'value = float("nan")'
refuse 1 'q_proj.weight”: dtype is I32' 'dtypes[p + "q_proj.weight"] = "I32"'
refuse 1 'no architecture has its 2 names: a, b; describe them' 'shapes = {"a": [1], "b": [2]}'
refuse 1 'shard in .* is no file' 'index = {p + "q_proj.weight": "../model.safetensors"}'
refuse 1 'shard in .* is no file' 'index = {p + "q_proj.weight": 7}'
refuse 1 'q_proj.weight”: its shard gone.safetensors: there is no such file' \
    'index = {n: "gone.safetensors" for n in shapes}'
refuse 1 'k_proj.weight”: is not in' \
    'index = {n: "model.safetensors" for n in shapes}; del shapes[p + "k_proj.weight"]'
refuse 1 'no architecture has its 3 names: h.{}.q, e; describe' 'shapes = {"h.0.q": [1], "h.1.q": [1], "e": [1]}'
refuse 1 'more than 16384 entries' 'shapes.update({f"x{i}": [0] for i in range(20000)})'
refuse 1 'more than 262144 values' 'shapes.update({f"x{i}": [0] for i in range(100000)})'
# whole() makes it a model of nine words.
streams() {
    make_checkpoint whole "whole()"
    "$program" export -o whole.json --weights whole --ids 8,0,3 >log 2>&1 &&
        "$program" export -o state.json --state 'weights=whole&ids=8,0,3' >log 2>&1 &&
        cmp whole.json state.json >log 2>&1 && python3 - <<'END' 2>log
import json
t = json.load(open("whole.json"))
assert t["tokens"] == ["8", "0", "3"], t["tokens"]
assert [t["tensors"][n]["shape"] for n in ("X", "A", "hidden", "logits")] == [[3, 8], [4, 3, 3], [3, 8], [3, 9]]
END
}
result "token ids stream through a whole model" streams

# The map of all layers, by option and by key; the wall of one layer lists the next words.
maps_layers() {
    make_checkpoint deep "whole(); $TWO"
    "$program" render -o map.svg --weights deep --ids 8,0,3 --wall layers >log 2>&1 &&
        "$program" render -o key.svg --weights deep --ids 8,0,3 --keys 'W@0.2' --time 3 >log 2>&1 &&
        "$program" render -o wall.svg --weights deep --ids 8,0,3 >log 2>&1 &&
        grep -q 'id="heads.layers"' map.svg && grep -q 'id="heads.layers"' key.svg &&
        ! grep -q 'id="heads.layers"' wall.svg && grep -q 'id="heads.next"' wall.svg
}
result "a map shows every layer" maps_layers

# A key that shows a layer which cannot be read fails the verb, as an option does.
lacks_a_layer() {
    make_checkpoint holed "whole(); $TWO"'; values["model.layers.1.self_attn.q_proj.weight"] = float("nan")'
    "$program" render -o holed.svg --weights holed --ids 8,0,3 --keys '}@0.2' --time 1 2>log
    [ $? -eq 1 ] && [ ! -e holed.svg ] && grep -q 'has a value that is not finite' log
}
result "a key that shows an unreadable layer fails" lacks_a_layer

# The map of many layers is narrower than the choice of its order, under which the graph begins.
x_of() { # x_of WORDS: where the first text with these words begins in tall.svg
    sed -n "s/.*<text[^>]* x=\"\([0-9]*\)[^>]*>$1<.*/\1/p" tall.svg | head -n 1
}
leaves_room() {
    make_checkpoint tall "$(printf '%s\n' 'whole()' 'one = dict(shapes)' 'for i in range(1, 48):' \
        '    shapes.update({n.replace("layers.0", f"layers.{i}"): s for n, s in one.items()})')"
    "$program" render -o tall.svg --size 1366x768 --weights tall --ids 8,0,3 --wall layers >log 2>&1 &&
        [ "$(x_of Distance)" -lt "$(x_of 'Head 1')" ]
}
result "the map leaves room for its orders" leaves_room

# An edit belongs to its layer: the next one starts without it, and the picture says so.
edits_stay_in_their_layer() {
    "$program" render -o edited.svg --weights deep --ids 8,0,3 --set 'gain2(1,1)=0' >log 2>&1 &&
        "$program" render -o moved.svg --weights deep --ids 8,0,3 --set 'gain2(1,1)=0' --keys '}@0.2' --time 1 \
            >log 2>&1 &&
        grep -q 'zeroed' edited.svg && ! grep -q 'zeroed' moved.svg && grep -q 'set by hand in layer 1 were dropped' moved.svg
}
result "an edit stays in its layer" edits_stay_in_their_layer
refuse 2 '^headlight: --ids 9: is outside the vocabulary of .*, 0 to 8$' "whole()" --ids 1,9
refuse 1 'gate_proj.weight”: has a value that is not finite' \
    'whole(); config["hidden_act"] = "relu"; values[b + "mlp.gate_proj.weight"] = float("nan")' --ids 1,2
refuse 2 '^headlight: --ids: “x” is not a token id' "whole()" --ids 1,x
refuse 2 '^headlight: --ids: has no token id' "whole()" --ids ,
refuse 2 '^headlight: --ids: needs --weights with a checkpoint' '' --ids 1
for name in mlp.down_proj mlp.up_proj mlp.gate_proj input_layernorm post_attention_layernorm; do
    refuse 1 "tensor “model.layers.0.$name.weight”: is not in" "whole(); del shapes[b + '$name.weight']" --ids 1
done
refuse 1 'tensor “model.norm.weight”: is not in' "whole(); del shapes['model.norm.weight']" --ids 1
refuse 1 'mlp.down_proj.weight”: shape is \[8, 7\]; 6 inputs and 8 outputs' \
    "whole(); shapes[b + 'mlp.down_proj.weight'] = [D, 7]" --ids 1
refuse 1 'lm_head.weight”: shape is \[9, 7\]' "whole(); shapes['lm_head.weight'] = [9, 7]" --ids 1
refuse 1 'config.json: “relux” is not an activation' "whole(); config['hidden_act'] = 'relux'" --ids 1
refuse 1 'the activation must be a name' "whole(); config['hidden_act'] = 5" --ids 1
refuse 1 'rms_norm_eps” must be a number' "whole(); config['rms_norm_eps'] = -1" --ids 1
apart() { echo "'blocks.0.attn.W_$1': [H, D, K], "; }
refuse 1 'mlp.W_out”: is not in' "config = {'n_heads': H}; shapes = {$(apart Q)$(apart K)$(apart V)'blocks.0.attn.W_O': [H, K, D], 'blocks.0.mlp.W_in': [D, 6]}"
make_checkpoint endless "whole(); values['lm_head.weight'] = float('inf')"
"$program" render --weights endless --ids 1 -o endless.svg 2>log
result "a picture that lacks the next words is refused" [ "$?,$(ls endless.svg 2>&1 | grep -c 'No such')" = "1,1" ]
refuse 2 'layer 1024: .* has 1 layer$' "whole()" --ids 1 --layer 1024

# A layer that lacks a tensor, in the middle, at the end, and with config.json's number of layers.
lack() { # lack TENSOR CODE WORDS...: opened without change, and refused without the tensor
    tensor=$1 code=$2
    shift 2
    make_checkpoint whole "$code"
    result "opens: $code" "$program" export -o whole.json --weights whole "$@"
    refuse 1 "tensor “$tensor”: is not in" "$code; del shapes['$tensor']" "$@"
}
THREE="one = dict(shapes); [shapes.update({n.replace('layers.0', f'layers.{i}'): s for n, s in one.items()}) for i in (1, 2)]"
for layer in 1 2; do
    for name in self_attn.q_proj self_attn.o_proj input_layernorm; do
        lack "model.layers.$layer.$name.weight" "whole(); $THREE; config['num_hidden_layers'] = 3" --ids 1
    done
    lack "model.layers.$layer.self_attn.q_proj.weight" "$THREE"
    lack "model.layers.$layer.self_attn.v_proj.weight" "$THREE; config = None" --heads 4
done
refuse 1 'tensor “model.layers.1.self_attn.q_proj.weight”: is not in' "config['num_hidden_layers'] = 2"
refuse 1 'q_proj.weight”: is not in model.safetensors.index.json' \
    "$THREE; index = {n: 'model.safetensors' for n in shapes if '1.self_attn.q' not in n}"
# Tensors that come with others, or that config.json announces.
for name in q_norm.weight k_norm.weight; do
    lack "model.layers.0.self_attn.$name" 'shapes.update({p + "q_norm.weight": [K], p + "k_norm.weight": [K]})'
done
BIASES='shapes.update({n[:-6] + "bias": shapes[n][:1] for n in list(shapes) if "proj.w" in n})'
for name in self_attn.q_proj self_attn.k_proj mlp.up_proj mlp.gate_proj mlp.down_proj; do
    lack "model.layers.0.$name.bias" "whole(); $BIASES" --ids 1
done
lack "model.layers.0.self_attn.o_proj.bias" "whole(); $BIASES; config['attention_bias'] = True" --ids 1
refuse 1 'tensor “model.layers.0.self_attn.q_proj.bias”: is not in' 'config["attention_bias"] = True'
refuse 1 'tensor “model.layers.0.mlp.up_proj.bias”: is not in' "whole(); config['mlp_bias'] = True" --ids 1
for name in wpe.weight h.0.ln_1.weight h.0.ln_1.bias ln_f.bias h.0.mlp.c_fc.bias; do
    lack $name 'gpt2()' --ids 1
done
for name in position_embeddings.weight token_type_embeddings.weight LayerNorm.weight LayerNorm.bias; do
    lack bert.embeddings.$name 'bert()' --ids 1
done
lack cls.predictions.transform.LayerNorm.weight 'bert()' --ids 1

# Models of TransformerLens with RoPE, or with RMSNorm, whose norms have no shift.
for name in pos_embed.W_pos blocks.0.ln1.b ln_final.b; do
    lack $name 'lens()' --ids 1
done
for name in sin cos; do
    refuse 1 "rotary_$name”: Headlight does not compute RoPE for TransformerLens" "lens(); shapes['blocks.0.attn.rotary_$name'] = [9, K]"
done

# Names in architecture.txt, also those of tensors that a model may lack.
for line in words=model.embed norm=layers.{}.nrm query-norm=layers.{}.qn gate-bias=layers.{}.b final-norm-bias=norm.b; do
    refuse 1 "architecture.txt, key “${line%=*}”: tensor “model.*: is not in" \
        "whole(); described = chr(10).join(('like = llama', '$line'))" --ids 1
done

# Types of models that are not known, and settings and RoPE that are not computed.
refuse 1 'model_type “stablelm” is unknown.*names of Llama.*like = llama' 'config["model_type"] = "stablelm"'
refuse 1 'model_type “electra” is unknown.*names of BERT' 'bert(); config["model_type"] = "electra"'
describes_type() {
    make_checkpoint described 'config["model_type"] = "stablelm"; described = "like = llama"'
    "$program" export -o described.json --weights described >log 2>&1
}
result "architecture.txt describes an unknown type" describes_type
for setting in scale_attn_by_inverse_layer_idx=True embedding_multiplier=12 residual_multiplier=0.22 logits_scaling=8 scale_emb=12 scale_depth=1.4 \
    logit_scale=0.06 no_rope_layers='[1, 0]' qk_layernorm=True use_bidirectional_attention=True \
    position_embedding_type='"relative_key"'; do
    refuse 1 "does not compute “${setting%%=*}” with this value" "config['${setting%%=*}'] = ${setting#*=}"
done
for type in bert roberta; do
    refuse 1 "does not compute “is_decoder” with this value" \
        "bert(); config.update(model_type='$type', is_decoder=True)"
done
refuse 1 "does not compute “pad_token_id” with this value" "bert(); config.update(model_type='roberta', pad_token_id=3)"
neutral() {
    make_checkpoint neutral 'config.update(embedding_multiplier=1.0, no_rope_layers=[1], logit_scale=None,
        qk_layernorm=False, position_embedding_type="absolute")'
    "$program" export -o neutral.json --weights neutral >log 2>&1
}
result "settings that change nothing" neutral
for kind in yarn longrope dynamic; do
    refuse 1 "RoPE scaling of type “$kind”" "config['rope_scaling'] = {'rope_type': '$kind', 'factor': 4}"
done
refuse 1 'cannot rotate 1 of a head’s 4 columns' 'config["partial_rotary_factor"] = 0.25'
mkdir empty
result "a folder without a checkpoint is refused" refused 1 'neither model.safetensors nor' --weights empty
tap_end
