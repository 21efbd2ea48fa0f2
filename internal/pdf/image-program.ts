/**
 * Runs the programs that decode images: PDFium's for CCITT fax and JBIG2, and OpenJPEG for JPEG 2000, as WebAssembly. Each image
 * gets a program of its own, because the memory of a program never shrinks and is undefined after an error.
 */
import { Buffer } from 'node:buffer'
import { brotliDecompressSync } from 'node:zlib'
import { IMAGE_PROGRAMS } from './image-programs.gen.ts'

/** About 800 MB are needed for a page in colour at 600 DPI. */
const MOST_MEMORY_BYTES = 1_073_741_824
const WASM_PAGE_BYTES = 65_536
/** The most bytes of a decoded image, in all its colours. */
const MOST_IMAGE_BYTES = 160_000_000
/** The share of an image whose lines may be missing. Some scanners state a few lines more than they write. */
const MOST_MISSING = 0.01
/** Error numbers of C. */
const [NO_FILE, NO_SEEK] = [8, 70]

type Name = keyof typeof IMAGE_PROGRAMS

export type ImageProgram = Readonly<{
  /** Copies bytes to the program's memory. @returns their address */
  lend: (bytes: Uint8Array) => number
  call: (name: string, ...args: readonly number[]) => number
  /** The image that the program delivered. Null if there is none, or lines are missing. */
  image: () => Uint8Array | null
}>

const modules = new Map<Name, WebAssembly.Module>()

const moduleOf = (name: Name): WebAssembly.Module => {
  const known = modules.get(name)
  if (known !== undefined) return known
  const module = new WebAssembly.Module(
    new Uint8Array(brotliDecompressSync(Buffer.from(IMAGE_PROGRAMS[name].wasm, 'base64'))),
  )
  modules.set(name, module)
  return module
}

/** @throws {RangeError} the image is too large, or its size is negative */
const allocate = (size: number): Uint8ClampedArray => {
  if (size > MOST_IMAGE_BYTES) throw new RangeError('The image is too large.')
  return new Uint8ClampedArray(size)
}

type Functions = Readonly<Record<string, (...args: number[]) => number | undefined>>

const stop = (): never => {
  throw new Error('The program gave up.')
}

/** What the programs import of a system: it has no files, clocks or settings. */
const systemOf = (memoryOf: () => WebAssembly.Memory): Functions => ({
  abort_js: stop,
  proc_exit: stop,
  emscripten_runtime_keepalive_clear: () => undefined,
  setitimer_js: () => 0,
  emscripten_resize_heap: (wanted = 0) => {
    const memory = memoryOf()
    const size = wanted >>> 0
    if (size > MOST_MEMORY_BYTES) return 0
    try {
      memory.grow(Math.ceil((size - memory.buffer.byteLength) / WASM_PAGE_BYTES))
      return 1
    } catch {
      // without a larger memory, the allocation of the program fails
      return 0
    }
  },
  environ_get: () => 0,
  environ_sizes_get: (count = 0, size = 0) => {
    const view = new DataView(memoryOf().buffer)
    view.setUint32(count, 0, true)
    view.setUint32(size, 0, true)
    return 0
  },
  fd_seek: () => NO_SEEK,
  fd_write: () => NO_FILE,
  jsPrintWarning: () => undefined,
  storeErrorMessage: () => undefined,
})

/** The functions by which the programs deliver an image. */
const receiverOf = (memoryOf: () => WebAssembly.Memory) => {
  let image: Uint8ClampedArray | null = null
  /** Bytes of the image that lines have not filled. */
  let missing = 0
  const bytes = (from: number, length: number): Uint8Array =>
    new Uint8Array(memoryOf().buffer, from, length)
  /** Joins colours, which are 32-bit numbers at an address each; null is an opaque alpha. */
  const join = (colours: readonly (number | null)[], count: number): undefined => {
    const joined = allocate(count * colours.length)
    for (const [at, colour] of colours.entries()) {
      const from = colour === null ? null : new Int32Array(memoryOf().buffer, colour, count)
      for (let pixel = 0; pixel < count; pixel += 1) {
        joined[pixel * colours.length + at] = from === null ? 255 : (from[pixel] ?? 0)
      }
    }
    image = joined
  }
  const functions: Functions = {
    createImageData: (size = 0) => {
      image = allocate(size)
      missing = size
      return undefined
    },
    setImageData: (address = 0, rowBytes = 0, pitch = 0, height = 0) => {
      image = allocate(rowBytes * height)
      for (let row = 0; row < height; row += 1) {
        image.set(bytes(address + row * pitch, rowBytes), row * rowBytes)
      }
      return undefined
    },
    setLineData: (address = 0, rowBytes = 0, offset = 0) => {
      image?.set(bytes(address, rowBytes), offset)
      missing -= rowBytes
      return undefined
    },
    copy_pixels_1: (grey = 0, count = 0) => join([grey], count),
    copy_pixels_3: (r = 0, g = 0, b = 0, count = 0) => join([r, g, b], count),
    copy_pixels_4: (r = 0, g = 0, b = 0, a = 0, count = 0) => join([r, g, b, a], count),
    gray_to_rgba: (grey = 0, count = 0) => join([grey, grey, grey, null], count),
    graya_to_rgba: (grey = 0, a = 0, count = 0) => join([grey, grey, grey, a], count),
    rgb_to_rgba: (r = 0, g = 0, b = 0, count = 0) => join([r, g, b, null], count),
  }
  return {
    functions,
    image: () => (image !== null && missing > image.length * MOST_MISSING ? null : image),
  }
}

/** Starts a program without an image. @throws {Error} there is not enough memory */
export const startImageProgram = (name: Name): ImageProgram => {
  const letters: Readonly<{
    imports: Readonly<Record<string, string>>
    exports: Readonly<Record<string, string>>
  }> = IMAGE_PROGRAMS[name]
  const exported = (part: string) => instance.exports[letters.exports[part] ?? '']
  const memoryOf = (): WebAssembly.Memory => {
    const memory = exported('memory')
    if (memory instanceof WebAssembly.Memory) return memory
    throw new Error('The program has no memory.')
  }
  const receiver = receiverOf(memoryOf)
  const functions = { ...systemOf(memoryOf), ...receiver.functions }
  const imports = Object.entries(letters.imports).map(([part, letter]) => [letter, functions[part]])
  const instance = new WebAssembly.Instance(moduleOf(name), { a: Object.fromEntries(imports) })
  const call = (part: string, ...args: readonly number[]): number => {
    const run = exported(part)
    if (typeof run !== 'function') throw new Error(`The program has no ${part}.`)
    return run(...args)
  }
  call('start')
  return {
    call,
    lend: (bytes) => {
      const address = call('malloc', bytes.length)
      if (address === 0) throw new RangeError('The image is too large.')
      new Uint8Array(memoryOf().buffer).set(bytes, address)
      return address
    },
    image: () => {
      const found = receiver.image()
      return found === null ? null : new Uint8Array(found.buffer)
    },
  }
}
