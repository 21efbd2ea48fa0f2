import { describe, expect, it } from 'vitest'
import { findPassages, toIndex } from './search.ts'

const passage = (page: string, title: string, text: string) => ({
  address: `/docs/${page}#${title}`,
  page,
  title,
  text,
})

const INDEX = toIndex([
  passage(
    'operating',
    'Settings',
    'The folder SVC_DATA_DIR holds the database. A backup is one file.',
  ),
  passage('jobs', 'Leases', 'A worker renews the lease of its attempt every few seconds.'),
  passage(
    'jobs',
    'Retries',
    `${'A job is tried again. '.repeat(20)}Then its lease ends, and that is all.`,
  ),
])

const titles = (words: string) => findPassages(INDEX, words, 10).map(({ title }) => title)

describe('the search of the guides', () => {
  it('finds a heading before a text', () => expect(titles('lease')).toEqual(['Leases', 'Retries']))
  it('finds a setting whole and by a part', () => {
    expect(titles('SVC_DATA_DIR')).toEqual(['Settings'])
    expect(titles('data dir')).toEqual(['Settings'])
  })
  it('finds what begins with the word, and what is almost the word', () => {
    expect(titles('back')).toEqual(['Settings'])
    expect(titles('datbase')).toEqual(['Settings'])
  })
  it('wants every word', () => expect(titles('lease database')).toEqual([]))
  it('shows the word with the text around it', () => {
    const [, found] = findPassages(INDEX, 'lease', 10)
    expect(found).toMatchObject({ match: 'lease', after: ' ends, and that is all.' })
    expect(found?.before).toMatch(/^….{70}$/)
  })
})
