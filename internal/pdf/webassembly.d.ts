/** The part of WebAssembly that image-program.ts uses. The types of Node declare only its names. */
// biome-ignore lint/style/noNamespace: the global is one
declare namespace WebAssembly {
  class Memory {
    readonly buffer: ArrayBuffer
    grow(pages: number): number
  }
  interface Instance {
    readonly exports: Readonly<Record<string, Memory | ((...args: readonly number[]) => number)>>
  }
  const Module: new (bytes: Uint8Array<ArrayBuffer>) => Module
  const Instance: new (
    module: Module,
    imports: Readonly<Record<string, Readonly<Record<string, unknown>>>>,
  ) => Instance
}
