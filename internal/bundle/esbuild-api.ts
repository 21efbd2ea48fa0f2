/**
 * The parts of esbuild that builds use. They are a separate module, because esbuild loads
 * late and a chunk of the binary must name it.
 */
import { build, stop } from 'esbuild'

export const esbuild = { build, stop }
