import { browserModel, isLoopback } from "./address.js";
import type { Endpoint } from "../store/state.js";

/** Default settings of a provider or server. */
export interface Preset extends Omit<Endpoint, "name"> {
  readonly id: string;
  readonly about: string;
  readonly where: "device" | "network";
  /** The page for creating keys. */
  readonly keys?: string;
}

/** The presets in the order of the list. A provider that retires its models often has no default model. */
export const presets: readonly Preset[] = [
  {
    id: "ollama",
    label: "Ollama",
    about: "Models on this device",
    where: "device",
    format: "ollama",
    url: "http://localhost:11434",
    model: "",
    server: "ollama",
  },
  {
    id: "lmstudio",
    label: "LM Studio",
    about: "Models on this device",
    where: "device",
    format: "openai",
    url: "http://localhost:1234/v1",
    model: "",
    server: "lmstudio",
  },
  {
    id: "llamacpp",
    label: "llama.cpp",
    about: "One model file; enforces grammars",
    where: "device",
    format: "openai",
    url: "http://localhost:8080/v1",
    model: "default",
    server: "llamacpp",
  },
  {
    id: "vllm",
    label: "vLLM",
    about: "A server that enforces choices",
    where: "device",
    format: "openai",
    url: "http://localhost:8000/v1",
    model: "",
    server: "vllm",
  },
  {
    id: "browser",
    label: "This browser",
    about: "Its built-in model: no key, no network",
    where: "device",
    format: "openai",
    url: browserModel,
    model: "built-in",
    server: "browser",
  },
  {
    id: "openai",
    label: "OpenAI",
    about: "api.openai.com; choose from its list of models",
    where: "network",
    format: "openai",
    url: "https://api.openai.com/v1",
    model: "",
    server: "openai",
    keys: "https://platform.openai.com/api-keys",
  },
  {
    id: "openai-responses",
    label: "OpenAI responses",
    about: "Reasoning models; enforces grammars; choose from its list of models",
    where: "network",
    format: "responses",
    url: "https://api.openai.com/v1",
    model: "",
    server: "openai",
    keys: "https://platform.openai.com/api-keys",
  },
  {
    id: "azure",
    label: "Azure OpenAI",
    about: "The address of your resource; the name of a deployment",
    where: "network",
    format: "openai",
    url: "",
    model: "",
    server: "azure",
    keys: "https://portal.azure.com",
  },
  {
    id: "anthropic",
    label: "Anthropic",
    about: "api.anthropic.com",
    where: "network",
    format: "anthropic",
    url: "https://api.anthropic.com",
    model: "claude-haiku-4-5",
    server: "anthropic",
    keys: "https://platform.claude.com/settings/keys",
  },
  {
    id: "gemini-native",
    label: "Google Gemini",
    about: "generativelanguage.googleapis.com; choose from its list of models",
    where: "network",
    format: "gemini",
    url: "https://generativelanguage.googleapis.com/v1beta",
    model: "",
    server: "gemini",
    keys: "https://aistudio.google.com/apikey",
  },
  {
    id: "gemini",
    label: "Gemini, OpenAI format",
    about: "generativelanguage.googleapis.com; choose from its list of models",
    where: "network",
    format: "openai",
    url: "https://generativelanguage.googleapis.com/v1beta/openai",
    model: "",
    server: "gemini",
    keys: "https://aistudio.google.com/apikey",
  },
  {
    id: "mistral",
    label: "Mistral",
    about: "api.mistral.ai",
    where: "network",
    format: "openai",
    url: "https://api.mistral.ai/v1",
    model: "mistral-small-latest",
    server: "mistral",
    keys: "https://console.mistral.ai/api-keys",
  },
  {
    id: "groq",
    label: "Groq",
    about: "api.groq.com; choose from its list of models",
    where: "network",
    format: "openai",
    url: "https://api.groq.com/openai/v1",
    model: "",
    server: "groq",
    keys: "https://console.groq.com/keys",
  },
  {
    id: "openrouter",
    label: "OpenRouter",
    about: "Many providers, one key; choose from its list of models",
    where: "network",
    format: "openai",
    url: "https://openrouter.ai/api/v1",
    model: "",
    server: "openrouter",
    keys: "https://openrouter.ai/settings/keys",
  },
  {
    id: "together",
    label: "Together",
    about: "Open models",
    where: "network",
    format: "openai",
    url: "https://api.together.ai/v1",
    model: "meta-llama/Llama-3.3-70B-Instruct-Turbo",
    server: "together",
    keys: "https://api.together.ai/settings/api-keys",
  },
  {
    id: "deepseek",
    label: "DeepSeek",
    about: "api.deepseek.com; choose from its list of models",
    where: "network",
    format: "openai",
    url: "https://api.deepseek.com/v1",
    model: "",
    server: "deepseek",
    keys: "https://platform.deepseek.com/api_keys",
  },
  {
    id: "xai",
    label: "xAI",
    about: "api.x.ai; choose from its list of models",
    where: "network",
    format: "openai",
    url: "https://api.x.ai/v1",
    model: "",
    server: "xai",
    keys: "https://console.x.ai",
  },
  {
    id: "huggingface",
    label: "Hugging Face",
    about: "Many providers, one key",
    where: "network",
    format: "openai",
    url: "https://router.huggingface.co/v1",
    model: "meta-llama/Llama-3.3-70B-Instruct",
    server: "huggingface",
    keys: "https://huggingface.co/settings/tokens",
  },
  {
    id: "fireworks",
    label: "Fireworks",
    about: "Open models",
    where: "network",
    format: "openai",
    url: "https://api.fireworks.ai/inference/v1",
    model: "accounts/fireworks/models/llama-v3p3-70b-instruct",
    server: "fireworks",
    keys: "https://app.fireworks.ai/settings/users/api-keys",
  },
  {
    id: "cerebras",
    label: "Cerebras",
    about: "Open models; choose from its list of models",
    where: "network",
    format: "openai",
    url: "https://api.cerebras.ai/v1",
    model: "",
    server: "cerebras",
    keys: "https://cloud.cerebras.ai",
  },
  {
    id: "bedrock",
    label: "Amazon Bedrock",
    about: "A Bedrock API key, or a gateway",
    where: "network",
    format: "bedrock",
    url: "https://bedrock-runtime.us-east-1.amazonaws.com",
    model: "us.amazon.nova-lite-v1:0",
    server: "",
  },
  {
    id: "other",
    label: "Another",
    about: "Any server with a supported wire format",
    where: "network",
    format: "openai",
    url: "",
    model: "",
    server: "",
  },
];

/** The wire formats with their labels. */
export const formats: readonly (readonly [format: string, label: string])[] = [
  ["openai", "OpenAI chat completions"],
  ["responses", "OpenAI responses"],
  ["completions", "OpenAI completions"],
  ["anthropic", "Anthropic messages"],
  ["ollama", "Ollama chat"],
  ["ollama-generate", "Ollama generate"],
  ["gemini", "Gemini generateContent"],
  ["bedrock", "Bedrock Converse"],
];

/** Creates an endpoint from a preset, with a unique name. */
export function made(preset: Preset, list: readonly Endpoint[]): Endpoint {
  const { label, format, url, model, server } = preset;
  return named(
    { name: preset.id, label: preset.id === "other" ? "My endpoint" : label, format, url, model, server },
    list,
  );
}

/** Returns the endpoint with a unique name and label, numbered if necessary. */
export function named(endpoint: Endpoint, list: readonly Endpoint[]): Endpoint {
  const name = endpoint.name.replace(/-\d+$/, "");
  const label = endpoint.label.replace(/ \d+$/, "");
  for (let n = 1; ; n++) {
    const next = n === 1 ? { name, label } : { name: `${name}-${n}`, label: `${label} ${n}` };
    if (!list.some((e) => e.name === next.name || e.label === next.label)) return { ...endpoint, ...next };
  }
}

/** Returns the preset that matches an endpoint's server. */
export function presetOf(endpoint: Endpoint): Preset | undefined {
  return presets.find((p) => p.server === endpoint.server && p.server !== "");
}

/** Returns the command that starts a local server with this page's origin allowed. */
export function startOf(endpoint: Endpoint): { readonly why: string; readonly command: string } | undefined {
  const origin = location.origin;
  switch (endpoint.server) {
    case "ollama":
      // It allows pages from this device.
      return isLoopback(location.hostname)
        ? { why: "Start Ollama.", command: "ollama serve" }
        : { why: "Start Ollama with this page’s origin allowed.", command: `OLLAMA_ORIGINS=${origin} ollama serve` };
    case "lmstudio":
      return { why: "Start LM Studio’s server with web pages allowed (CORS).", command: "lms server start --cors" };
    case "llamacpp":
      return { why: "llama.cpp’s server allows every page.", command: "llama-server --model model.gguf --port 8080" };
    case "vllm":
      return {
        why: "vLLM allows every page by default.",
        command: `vllm serve MODEL --allowed-origins '["${origin}"]'`,
      };
    default:
      return undefined;
  }
}
