/** What builds take from esbuild, in a module of its own, because it loads late and a chunk of the binary must name it. */
import { build, stop } from 'esbuild'

export const esbuild = { build, stop }
