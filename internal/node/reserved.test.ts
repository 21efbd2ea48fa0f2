import { expect, test } from 'vitest'
import { loadConfig } from '#config/config.ts'
import { reservedOf, reservePort } from './reserved.ts'

const load = (env: Readonly<Record<string, string>>) => loadConfig({ env, flags: {} }).config

test('the servers of all databases are reserved', () => {
  const config = load({
    SVC_DATABASE_URL: 'libsql://home.example',
    SVC_SQLD_ADMIN_URL: 'http://home.example:9090',
    SVC_CELLS: 'eu=http://[fd12::1]:8080;us=file:/srv/us.db',
  })
  expect(reservedOf(config).servers).toEqual([
    { host: 'home.example', port: 443 },
    { host: 'home.example', port: 9_090 },
    { host: 'fd12::1', port: 8_080 },
  ])
})

test('a free port that a listener found is reserved until the listener stops', () => {
  const reserved = reservedOf(load({ SVC_PORT: '0' }))
  const release = reservePort(40_000)
  expect(reserved.ports).toContain(40_000)
  release()
  expect(reserved.ports).not.toContain(40_000)
})
