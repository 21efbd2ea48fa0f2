import { expect, test } from 'vitest'
import { serversToJoin } from './node-links.ts'

const server = (id: string, host: string, address: string) => ({ id, host, address })
const OLD = server('1', 'a', 'http://10.0.0.1:3000')
const NEW = server('9', 'b', 'http://10.0.0.2:3000')
const LOCAL = server('2', 'a', 'http://127.0.0.1:3000')

test('a worker joins every server that it can reach', () => {
  const self = { id: '5', host: 'c', address: null }
  expect(serversToJoin(self, [OLD, NEW, LOCAL])).toEqual([OLD.address, NEW.address])
})

test('a loopback address is of use on its own machine', () => {
  const self = { id: '5', host: 'a', address: null }
  expect(serversToJoin(self, [LOCAL])).toEqual([LOCAL.address])
  const v6 = server('3', 'b', 'http://[::1]:3000')
  expect(serversToJoin(self, [v6, server('4', 'b', 'http://localhost:1')])).toEqual([])
})

test('of two servers the one that registered later joins the other, whichever has the smaller id', () => {
  expect(serversToJoin(NEW, [OLD, NEW])).toEqual([OLD.address])
  expect(serversToJoin(OLD, [OLD, NEW])).toEqual([])
  expect(serversToJoin(OLD, [NEW, OLD])).toEqual([NEW.address])
  // a sweep removed its row: no other server sees it
  expect(serversToJoin(OLD, [NEW])).toEqual([NEW.address])
  // the row that an earlier process at the same place left behind
  expect(serversToJoin(NEW, [server('1', NEW.host, NEW.address)])).toEqual([])
})
