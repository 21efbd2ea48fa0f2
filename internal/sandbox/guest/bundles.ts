/** The bundles of a guest. Each is loaded with its first job, and stack traces name it as its author knows it. */

import type { HostMessage } from '../protocol/messages.ts'
import { ownLocation } from './failure.ts'
import type { GuestIo } from './io/guest-io.ts'

type CodeMessage = Extract<HostMessage, { t: 'code' }>
export type Main = (ctx: unknown) => unknown

export interface GuestBundles {
  add(message: CodeMessage): void
  has(hash: string): boolean
  /**
   * Loads the bundle once and returns its `main`.
   * @throws whatever its top level throws, or an InvalidAction if it exports no `main`
   */
  load(hash: string): Promise<Main>
  /** Makes the next load create new modules, because a suspended run left the state of these ones unfinished. */
  renew(hash: string): void
  /** Names the author's bundle in stack frames, and removes frames of the guest and the runtime. */
  rename(text: string): string
}

const RUNTIME_FRAME = /^ {4}at .*\b(?:ext:|node:internal\/)/

const noMain = (entrypoint: string): Error =>
  Object.assign(
    new Error(
      `${entrypoint} exports no function named main. Write \`export async function main(ctx) { … }\`.`,
    ),
    { name: 'InvalidAction', stack: undefined },
  )

/** A loaded bundle, and the address of its module. */
type Loaded = Readonly<{ main: Main; address: string }>

/** Keeps the bundles that the host has sent, and loads each once. */
export const createGuestBundles = (io: GuestIo): GuestBundles => {
  const codes = new Map<string, CodeMessage>()
  const loaded = new Map<string, Loaded>()
  /** Maps the address of a loaded bundle to its name in stack frames. */
  const names = new Map<string, string>()
  const own = ownLocation()

  const load = async (hash: string): Promise<Main> => {
    const known = loaded.get(hash)
    if (known !== undefined) return known.main
    const source = codes.get(hash)
    if (source === undefined) throw new Error('The code of this run is not here.')
    await io.prepareFor(source.code)
    const address = io.placeModule(source.code)
    names.set(address, `svc-bundle:${source.entrypoint}`)
    const module = await io.importModule(address)
    const main: unknown =
      typeof module === 'object' && module !== null ? Reflect.get(module, 'main') : undefined
    if (typeof main !== 'function') throw noMain(source.entrypoint)
    const call: Main = (ctx) => Reflect.apply(main, undefined, [ctx])
    loaded.set(hash, { main: call, address })
    return call
  }

  const isInner = (line: string): boolean =>
    RUNTIME_FRAME.test(line) || (own !== null && line.includes(own))

  const rename = (text: string): string => {
    let renamed = text
    for (const [address, name] of names) renamed = renamed.replaceAll(address, name)
    if (!renamed.includes('\n    at ')) return renamed
    const kept: string[] = []
    for (const line of renamed.split('\n')) {
      if (!isInner(line)) kept.push(line)
      // the properties of the error follow the last frame
      else if (line.endsWith(' {')) kept.push(`${kept.pop() ?? ''} {`)
    }
    return kept.join('\n')
  }

  return {
    add: (message) => codes.set(message.hash, message),
    has: (hash) => codes.has(hash),
    load,
    renew: (hash) => {
      const old = loaded.get(hash)
      if (old === undefined) return
      loaded.delete(hash)
      names.delete(old.address)
    },
    rename,
  }
}
