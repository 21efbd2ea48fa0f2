import { expect, test } from 'vitest'
import { defineMessages } from './messages.ts'

const { en } = defineMessages({
  remove: { en: (name: string) => `Delete ${name}?`, ko: (name: string) => `${name} 삭제` },
})

test('a name that turns the direction of text does not turn the rest of the sentence', () => {
  expect(en.remove('plain 홍길동')).toBe('Delete plain 홍길동?')
  expect(en.remove('\u202egnp.exe')).toBe('Delete \u2068\u202egnp.exe\u2069?')
  // nor one that closes the isolation itself
  expect(en.remove('a\u2069\u202eb')).toBe('Delete \u2068a\u202eb\u2069?')
})
