#!/usr/bin/env python3
"""Compare checkpoints that the library transformers writes with its own run of them.

usage: check_transformers.py HEADLIGHT FOLDER     (needs transformers, tokenizers and PyTorch)

check_checkpoints.py has each architecture as its paper describes it; here are the files and the
code that people use. Every model is small and random. For every layer the program's X, A, hidden
and logits must agree to 1e-4, or to 1e-4 of the largest value, for token ids and, with a tokenizer
that is trained here, for a text. Prints a line of TAP for each.
"""

import json
import math
import pathlib
import subprocess
import sys
import traceback

import tokenizers
import torch
import transformers as T
from tokenizers import decoders, models, normalizers, pre_tokenizers, processors, trainers

D, H, LAYERS, WORDS = 32, 4, 3, 320
IDS = [5, 17, 2, 2, 49, 0, 31]
TEXT = "The animal didn't cross: naïve café 東京 42!"
SIZES = dict(hidden_size=D, num_attention_heads=H, num_hidden_layers=LAYERS, intermediate_size=48,
             vocab_size=WORDS, max_position_embeddings=128)
GROUPS = dict(SIZES, num_key_value_heads=2, head_dim=12)
OLD = dict(n_embd=D, n_head=H, n_layer=LAYERS, vocab_size=WORDS, n_positions=128)
SLIDING = ["sliding_attention", "full_attention", "sliding_attention"]
LLAMA3 = dict(rope_type="llama3", factor=8.0, low_freq_factor=1.0, high_freq_factor=4.0, rope_theta=500000.0,
              original_max_position_embeddings=128)
CAUSAL, MASKED = T.AutoModelForCausalLM, T.AutoModelForMaskedLM
CASES = {
    "GPT-2": (CAUSAL, lambda: T.GPT2Config(**OLD), {}),
    "GPT-2, sharded": (CAUSAL, lambda: T.GPT2Config(**OLD), {"max_shard_size": "30KB"}),
    "GPT-Neo": (CAUSAL, lambda: T.GPTNeoConfig(hidden_size=D, num_heads=H, num_layers=4, window_size=3, vocab_size=WORDS,
                                               attention_types=[[["global", "local"], 2]],
                                               max_position_embeddings=128), {}),
    "GPT-J": (CAUSAL, lambda: T.GPTJConfig(rotary_dim=4, **OLD), {}),
    "GPT-NeoX": (CAUSAL, lambda: T.GPTNeoXConfig(**SIZES), {}),
    "Phi": (CAUSAL, lambda: T.PhiConfig(**SIZES), {}),
    "Llama": (CAUSAL, lambda: T.LlamaConfig(**GROUPS), {}),
    "Llama 3.1": (CAUSAL, lambda: T.LlamaConfig(rope_parameters=LLAMA3, tie_word_embeddings=True, **GROUPS), {}),
    "Llama, bfloat16": (CAUSAL, lambda: T.LlamaConfig(**GROUPS), {"dtype": torch.bfloat16}),
    "Mistral": (CAUSAL, lambda: T.MistralConfig(sliding_window=3, **GROUPS), {}),
    "Qwen 2": (CAUSAL, lambda: T.Qwen2Config(**dict(GROUPS, head_dim=D // H)), {}),
    "Qwen 3": (CAUSAL, lambda: T.Qwen3Config(**GROUPS), {}),
    "Gemma": (CAUSAL, lambda: T.GemmaConfig(**GROUPS), {}),
    "Gemma 2": (CAUSAL, lambda: T.Gemma2Config(sliding_window=3, layer_types=SLIDING, query_pre_attn_scalar=20,
                                               attn_logit_softcapping=2.0, final_logit_softcapping=3.0, **GROUPS), {}),
    "Gemma 3": (CAUSAL, lambda: T.Gemma3TextConfig(sliding_window=3, layer_types=SLIDING, query_pre_attn_scalar=20,
                                                   **GROUPS), {}),
    "BERT": (MASKED, lambda: T.BertConfig(**SIZES), {}),
    "RoBERTa": (MASKED, lambda: T.RobertaConfig(**SIZES), {}),
    "DistilBERT": (MASKED, lambda: T.DistilBertConfig(dim=D, n_heads=H, n_layers=LAYERS, hidden_dim=48, vocab_size=WORDS,
                                                      max_position_embeddings=128), {}),
}


def byte_level():
    t = tokenizers.Tokenizer(models.BPE())
    t.pre_tokenizer, t.decoder = pre_tokenizers.ByteLevel(add_prefix_space=False), decoders.ByteLevel()
    return t, trainers.BpeTrainer(vocab_size=WORDS, initial_alphabet=pre_tokenizers.ByteLevel.alphabet())


def word_piece():
    t = tokenizers.Tokenizer(models.WordPiece(unk_token="[UNK]"))
    t.normalizer, t.pre_tokenizer = normalizers.BertNormalizer(), pre_tokenizers.BertPreTokenizer()
    t.decoder = decoders.WordPiece()
    return t, trainers.WordPieceTrainer(vocab_size=WORDS, special_tokens=["[PAD]", "[UNK]", "[CLS]", "[SEP]"])


def unigram():
    t = tokenizers.Tokenizer(models.Unigram())
    t.normalizer, t.pre_tokenizer = normalizers.NFKC(), pre_tokenizers.Metaspace()
    t.decoder = decoders.Metaspace()
    return t, trainers.UnigramTrainer(vocab_size=WORDS, unk_token="<unk>", special_tokens=["<unk>"])


TOKENIZERS = {"BERT": word_piece, "DistilBERT": word_piece, "Gemma": unigram, "Gemma 2": unigram, "Mistral": unigram}


def write_tokenizer(folder, kind, corpus):
    tokenizer, trainer = TOKENIZERS.get(kind, byte_level)()
    tokenizer.train_from_iterator(corpus, trainer)
    tokenizer.save(str(folder / "tokenizer.json"))
    return tokenizer.encode(TEXT, add_special_tokens=False).ids


def read_safetensors(path):
    raw = path.read_bytes()
    start = 8 + int.from_bytes(raw[:8], "little")
    header = json.loads(raw[8:start])
    header.pop("__metadata__")
    return {name: torch.frombuffer(bytearray(raw[start + e["data_offsets"][0]:start + e["data_offsets"][1]]),
                                   dtype=torch.float32).reshape(e["shape"]).double() for name, e in header.items()}


def run(model, ids):
    """X, A and hidden of every layer, and logits."""
    layers = next(m for m in model.modules() if isinstance(m, torch.nn.ModuleList))
    passes, first = [{} for _ in layers], lambda out: out[0] if isinstance(out, tuple) else out
    hooks = []
    for layer, values in zip(layers, passes):
        hooks.append(layer.register_forward_pre_hook(
            lambda _, args, words, values=values: values.update(X=args[0] if args else words["hidden_states"]),
            with_kwargs=True))
        hooks.append(layer.register_forward_hook(lambda _, args, out, values=values: values.update(hidden=first(out))))
    with torch.no_grad():
        out = model(torch.tensor([ids]), output_attentions=True)
    for hook in hooks:
        hook.remove()
    for values, a in zip(passes, out.attentions):
        values.update(A=a, logits=out.logits)
    return [{name: value[0].double() for name, value in values.items()} for values in passes]


def check(program, folder, kind, corpus):
    auto, config, how = CASES[kind]
    model = auto.from_config(config(), attn_implementation="eager").eval()
    for value in model.parameters():
        value.data = torch.randn(value.shape) * 0.3 + (value.dim() == 1)
    model.to(how.get("dtype", torch.float32)).save_pretrained(folder, max_shard_size=how.get("max_shard_size", "1GB"))
    model = auto.from_pretrained(folder, dtype=torch.float32, attn_implementation="eager").double().eval()
    worst = dict.fromkeys(("X", "A", "hidden", "logits"), 0.0)
    text_ids = write_tokenizer(folder, kind, corpus)
    for words, ids in ((["--ids", ",".join(map(str, IDS))], IDS), (["--text", TEXT], text_ids)):
        for layer, expected in enumerate(run(model, ids), 1):
            out = folder / "out.safetensors"
            subprocess.run([program, "export", "-o", out, "--weights", folder, "--layer", str(layer), *words], check=True,
                           stderr=subprocess.PIPE, text=True)
            got = read_safetensors(out)
            for name, value in expected.items():
                if got[name].shape != value.shape:
                    raise ValueError(f"{name}: {tuple(got[name].shape)}, not {tuple(value.shape)} ({words[0]})")
                error = (got[name] - value).abs().max() / max(1, value.abs().max())
                worst[name] = max(worst[name], float(error))
    return worst


def main():
    program, tree = sys.argv[1], pathlib.Path(sys.argv[2])
    corpus = [pathlib.Path(__file__).read_text(), TEXT * 3]
    failures = 0
    for n, kind in enumerate(CASES, 1):
        torch.manual_seed(n)
        try:
            worst = check(program, tree / str(n), kind, corpus)
        except Exception as error:
            said = error.stderr if isinstance(error, subprocess.CalledProcessError) else repr(error)
            worst = {said.strip()[-300:].replace("\n", " "): math.inf}
            if "-v" in sys.argv:
                traceback.print_exc()
        good = all(value <= 1e-4 for value in worst.values())
        failures += not good
        figures = ", ".join(f"{key} {value:.1e}" for key, value in worst.items())
        print(f"{'ok' if good else 'not ok'} {n} - {kind}: differs by {figures}", flush=True)
    print(f"1..{len(CASES)}")
    sys.exit(failures > 0)


if __name__ == "__main__":
    main()
