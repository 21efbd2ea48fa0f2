/** Numbers of foreigners and companies below their names, names in Latin letters, and persons who act for a holder [documents 7.2]. */
import { describe, expect, it } from 'vitest'
import { OWNER, readRows } from '../fixtures/certificate/from-rows.ts'

const ADDRESS = '가람특별시 나래구 다솜로 12'
const HOME = `    ${ADDRESS}`

const read = (rights: string, purpose = '소유권이전') => {
  const entry = ['2', purpose, '2011년1월2일\n제3호', '2011년1월1일\n매매', rights]
  const { document, codes } = readRows({ sectionA: [OWNER, entry] })
  const { persons = [], notes_raw: notes } = document.section_a[1]?.content ?? {}
  const holders = persons.map(({ name, resident_number: number, address, share }) =>
    [name, number, address, share].filter((value) => value !== null).join(' / '),
  )
  return { holders, notes, codes }
}

describe('a number below the name is not a part of the address', () => {
  it.each([
    ['    사업자등록번호 110-84-12345', '110-84-12345'],
    ['    사업자등록번호 : 110-84-12345', '110-84-12345'],
    ['    사업자등록번호  110-84-12345', '110-84-12345'],
    ['    (사업자등록번호 110-84-12345)', '110-84-12345'],
    ['사업자등록번호 110-84-12345', '110-84-12345'],
    ['    고유번호 110-82-12345', '110-82-12345'],
    ['    부동산등기용등록번호 110111-0000002', '110111-0000002'],
    ['    부동산등기용 등록번호 110111-0000002', '110111-0000002'],
    ['    법인등록번호 110111-0000002', '110111-0000002'],
    ['    외국인등록번호 800101-5******', '800101-5******'],
    ['    국내거소신고번호 800101-5******', '800101-5******'],
    ['    110-84-12345', '110-84-12345'],
  ])('%s', (line, number) => {
    const whole = {
      holders: [`골든브릿지 엘엘씨 / ${number} / ${ADDRESS}`],
      notes: null,
      codes: [],
    }
    expect(read(`소유자  골든브릿지 엘엘씨\n${line}\n${HOME}`)).toEqual(whole)
  })

  it.each(['국내거소신고번호', '외국인등록번호', '사업자등록번호', '부동산등기용 등록번호'])(
    'nor of the name on its line: %s',
    (label) => {
      const whole = { holders: [`왕웨이 / 800101-5****** / ${ADDRESS}`], notes: null, codes: [] }
      expect(read(`소유자  왕웨이  ${label} 800101-5******\n${HOME}`)).toEqual(whole)
      expect(read(`소유자  왕웨이  ${label}  800101-5******\n${HOME}`)).toEqual(whole)
      expect(read(`소유자  왕웨이(${label} 800101-5******)\n${HOME}`)).toEqual(whole)
    },
  )

  it('of a holder in a list', () => {
    const list = `공유자\n  지분 2분의 1\n  골든브릿지엘엘씨\n    사업자등록번호 110-84-12345\n${HOME}\n  지분 2분의 1\n  한다솜  710101-*******\n${HOME}`
    expect(read(list)).toEqual({
      holders: [
        `골든브릿지엘엘씨 / 110-84-12345 / ${ADDRESS} / 2분의 1`,
        `한다솜 / 710101-******* / ${ADDRESS} / 2분의 1`,
      ],
      notes: null,
      codes: [],
    })
  })

  it.each(['여권번호 M12345678', '생년월일 1970년 1월 2일', '납세번호 99-1234567'])(
    'if it is of another kind, it is a note: %s',
    (line) => {
      const whole = { holders: [`왕웨이 / ${ADDRESS}`], notes: line, codes: [] }
      expect(read(`소유자  왕웨이\n    ${line}\n${HOME}`)).toEqual(whole)
      expect(read(`소유자  왕웨이\n${line}\n${HOME}`)).toEqual(whole)
    },
  )

  it.each(['여권번호 M12345678', '여권번호 : M12345678', '생년월일 1970년 1월 2일'])(
    'if it is of another kind on the line of the name, it is a note: %s',
    (line) => {
      const whole = { holders: [`왕 웨이 / ${ADDRESS}`], notes: line, codes: [] }
      expect(read(`소유자  왕 웨이  ${line}\n${HOME}`)).toEqual(whole)
      expect(read(`소유자  왕 웨이 ${line}\n${HOME}`)).toEqual(whole)
      const { holders, notes, codes } = read(`소유자  왕 웨이(${line})\n${HOME}`)
      expect({ holders, codes }).toEqual({ holders: whole.holders, codes: [] })
      expect(notes).toContain(line)
      const two = read(
        `공유자\n지분 2분의 1\n왕 웨이  ${line}\n${HOME}\n지분 2분의 1\n한다솜  710101-*******\n${HOME}`,
      )
      expect(two.holders?.map((holder) => holder.split(' / ')[0])).toEqual(['왕 웨이', '한다솜'])
      expect(two.codes).toEqual([])
    },
  )

  it('if it is the second one, a warning reports it', () => {
    const { holders, notes, codes } = read(
      `소유자  골든브릿지엘엘씨  110111-0000002\n    사업자등록번호 110-84-12345\n${HOME}`,
    )
    expect(holders).toEqual([`골든브릿지엘엘씨 / 110111-0000002 / ${ADDRESS}`])
    expect(notes).toContain('사업자등록번호 110-84-12345')
    expect(codes).toEqual(['PERSONS_UNCLEAR'])
  })

  it('if the address follows on its line, it has both', () => {
    const { holders, codes } = read(
      `소유자  골든브릿지엘엘씨\n    사업자등록번호 110-84-12345 ${ADDRESS}`,
    )
    expect(holders).toEqual([`골든브릿지엘엘씨 / 110-84-12345 / ${ADDRESS}`])
    expect(codes).toEqual([])
  })

  it('if other text follows on its line, a warning reports it', () => {
    const { holders, codes } = read(
      `소유자  골든브릿지엘엘씨\n    사업자등록번호 110-84-12345 제3호\n${HOME}`,
    )
    expect(holders).toEqual([`골든브릿지엘엘씨 / 110-84-12345 / ${ADDRESS}`])
    expect(codes).toEqual(['PERSONS_UNCLEAR'])
  })
})

it.each(['국내영업소', '대한민국에서의 대표자'])('the %s is not a part of an address', (label) => {
  const line = `    ${label}  가람특별시 중구 을지로 1`
  const { holders, notes, codes } = read(
    `소유자  다솜은행유한공사  181184-0000012\n${HOME}\n${line}`,
  )
  expect(holders).toEqual([`다솜은행유한공사 / 181184-0000012 / ${ADDRESS}`])
  expect(notes).toContain('을지로 1')
  expect(codes).toEqual([])
})

describe('a name in Latin letters', () => {
  it.each([
    'SMITH JOHN WILLIAM ALEXANDER\n    MONTGOMERY  700101-5******',
    'SMITH JOHN\n    WILLIAM ALEXANDER\n    MONTGOMERY  700101-5******',
    'SMITH JOHN WILLIAM\n    ALEXANDER MONTGOMERY\n    700101-5******',
    'SMITH JOHN WILLIAM\n    ALEXANDER MONTGOMERY\n    외국인등록번호 700101-5******',
  ])('goes on below it: %j', (lines) => {
    const name = 'SMITH JOHN WILLIAM ALEXANDER MONTGOMERY'
    const whole = { holders: [`${name} / 700101-5****** / ${ADDRESS}`], notes: null, codes: [] }
    expect(read(`소유자  ${lines}\n${HOME}`)).toEqual(whole)
  })

  it('goes on below it over any number of lines', () => {
    const words = ['GOLDEN BRIDGE', 'INTERNATIONAL REAL', 'ESTATE INVESTMENT', 'HOLDINGS', 'ASIA']
    const lines = (end: string) => `소유자  ${words.join('\n    ')}${end}\n${HOME}`
    for (const end of ['  110111-0000002', '\n    110111-0000002', '\n    LLC  110111-0000002']) {
      const { holders, codes } = read(lines(end))
      const name = `${words.join(' ')}${end.includes('LLC') ? ' LLC' : ''}`
      expect({ holders, codes }).toEqual({
        holders: [`${name} / 110111-0000002 / ${ADDRESS}`],
        codes: [],
      })
    }
  })

  it('is not followed by an address in Latin letters', () => {
    const abroad = '2711 Centerville Road, Suite 400, Wilmington, DE 19808, USA'
    expect(read(`소유자  GOLDEN BRIDGE LLC  110111-0000002\n    ${abroad}`).holders).toEqual([
      `GOLDEN BRIDGE LLC / 110111-0000002 / ${abroad}`,
    ])
    expect(read('소유자  JOHN SMITH\n    Wilmington, Delaware, USA').holders).toEqual([
      'JOHN SMITH / Wilmington, Delaware, USA',
    ])
    const further = '한다솜  720202-*******'
    const { holders } = read(
      `공유자\nJOHN SMITH\n    Fifth Avenue\n    Wilmington, USA\n${further}\n${HOME}`,
    )
    expect(holders?.[0]).toBe('JOHN SMITH / Fifth Avenue Wilmington, USA')
  })
})

describe('who acts for a holder', () => {
  it.each(['관리인 한다솜', '파산관재인 한다솜', '공동관리인 한다솜', '대리인 한다솜'])(
    'is a note, not a part of the address: %s',
    (line) => {
      const rights = `채권자  주식회사누리  110111-0000002\n${HOME}\n    ${line}`
      expect(read(rights, '가압류')).toMatchObject({
        holders: [`주식회사누리 / 110111-0000002 / ${ADDRESS}`],
        notes: line,
      })
    },
  )

  it.each(['채권자(선정당사자)', '채권자 (선정당사자)', '권리자(공동관리인)'])(
    'is named behind the label: %s',
    (label) => {
      const rights = `${label}  한다솜  710101-*******\n${HOME}`
      const { holders, notes, codes } = read(rights, '가처분')
      expect(holders).toEqual([`한다솜 / 710101-******* / ${ADDRESS}`])
      expect(notes).toBe(label.replace(' ', ''))
      expect(codes).not.toContain('LABEL_UNKNOWN')
    },
  )
})
