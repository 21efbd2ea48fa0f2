import { networkInterfaces } from 'node:os'
import { describe, expect, test } from 'vitest'
import { loadConfig } from '#config/config.ts'
import type { NodeRole } from '#core/node-role.ts'
import type { Listener } from './listener/listen.ts'
import { linkAddress, linkWarning } from './node-address.ts'

const configOf = (env: Readonly<Record<string, string>> = {}) =>
  loadConfig({ env, flags: {} }).config

const listenerOn = (host: string): Listener => ({
  url: `http://${host === '0.0.0.0' ? '127.0.0.1' : host}:3000`,
  host,
  port: 3_000,
  answerWith: () => undefined,
  upgradeWith: () => undefined,
  stop: async () => undefined,
})

const outer = Object.values(networkInterfaces())
  .flatMap((addresses) => addresses ?? [])
  .some(({ internal }) => !internal)

describe('links that svc makes without a request lead', () => {
  test.each([
    [
      { SVC_BASE_URL: 'https://svc.example/', SVC_NODE_URL: 'http://a:1' },
      '0.0.0.0',
      'https://svc.example',
    ],
    [{ SVC_NODE_URL: 'http://svc:3000/' }, '0.0.0.0', 'http://svc:3000'],
    [{}, '127.0.0.1', 'http://127.0.0.1:3000'],
    [{}, '192.0.2.7', 'http://192.0.2.7:3000'],
  ])('with %j on %s to %s', (env, host, address) =>
    expect(linkAddress(configOf(env), listenerOn(host))).toBe(address),
  )

  test('from all addresses of a machine to one that others may know, where it has one', () => {
    const { hostname } = new URL(linkAddress(configOf(), listenerOn('0.0.0.0')))
    expect(hostname === '127.0.0.1').toBe(!outer)
    expect(hostname).not.toBe('0.0.0.0')
  })
})

test.each<[Readonly<Record<string, string>>, NodeRole, string | null, boolean]>([
  [{}, 'start', '0.0.0.0', true],
  [{}, 'server', '192.0.2.7', true],
  [{}, 'start', '127.0.0.1', false],
  [{}, 'start', '::1', false],
  [{}, 'start', 'localhost', false],
  [{ SVC_BASE_URL: 'https://svc.example' }, 'start', '0.0.0.0', false],
  [{ SVC_DATABASE_URL: 'http://db:8080' }, 'worker', null, true],
  [{ SVC_DATABASE_URL: 'http://db:8080' }, 'scheduler', null, false],
  [{}, 'worker', null, false],
])('with %j as %s on %s there is a warning: %s', (env, role, host, isThere) => {
  const listener = host === null ? null : listenerOn(host)
  expect(linkWarning(configOf(env), { role, listener }) !== null).toBe(isThere)
})
