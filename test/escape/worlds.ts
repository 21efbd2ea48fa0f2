/** The providers for the probes, with and without the confinement around Deno. */
import {
  bubblewrapProvider,
  denoProvider,
  nodeProvider,
  unconfinedProvider,
  withoutDenoPermissions,
} from '../sandbox/job.ts'
import type { Tried } from './try-probes.ts'

const PUBLIC = '93.184.215.14'

/** Names as an attacker's own name server would resolve them. */
const hostileNames = () => {
  let answers = 0
  return async (host: string): Promise<readonly string[]> => {
    answers += 1
    if (host === 'inside.example.com') return ['127.0.0.1']
    if (host === 'mixed.example.com') return [PUBLIC, '127.0.0.1']
    if (host === 'rebind.example.com') return answers % 2 === 1 ? [PUBLIC] : ['127.0.0.1']
    return []
  }
}

const network = () => ({ resolve: hostileNames(), dial: async () => null })

export const WORLDS = {
  bubblewrap: (): Tried => ({ provider: bubblewrapProvider(network()), hasNames: true }),
  'bubblewrap, Deno’s permissions open': (): Tried => ({
    provider: withoutDenoPermissions(bubblewrapProvider(network())),
    hasNames: true,
  }),
  deno: (): Tried => ({ provider: denoProvider(), hasNames: false }),
  'no confinement': (): Tried => ({ provider: unconfinedProvider(), hasNames: false }),
  node: (): Tried => ({ provider: nodeProvider(), hasNames: false }),
} as const

export type WorldName = keyof typeof WORLDS
