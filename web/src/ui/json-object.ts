import type { Json } from '#sdk/mod.ts'

export type JsonObject = { readonly [key: string]: Json | undefined }

/** Whether a value is what JSON calls an object: neither null nor a list. */
export const isObject = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
