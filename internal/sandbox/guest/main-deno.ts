/** Entry point of the guest for Deno. cmd/build/generate-guest.ts compiles it; nothing imports it. */

import { createDenoIo, type DenoGlobal, type DenoInternals } from './io/deno.ts'
import { runGuest } from './runner.ts'

declare const Deno: DenoGlobal & Readonly<Record<symbol, DenoInternals>>

const internals = Deno[Deno.internal]
if (internals === undefined) throw new Error('This version of Deno has no internals.')
await runGuest(createDenoIo(Deno, internals))
