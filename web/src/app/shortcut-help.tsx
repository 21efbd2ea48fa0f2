/** The list of all keys that work on this page, opened by `?`. */
import { useState } from 'react'
import { isApple } from '../browser/platform.ts'
import { keepSetting, useSetting } from '../browser/settings.ts'
import { defineMessages, useMessages } from '../language/messages.ts'
import { Dialog } from '../ui/dialog.tsx'
import { Facts } from '../ui/facts.tsx'
import { CheckField } from '../ui/form/field.tsx'
import { useShortcut, useShortcutList } from './shortcuts.ts'

const messages = defineMessages({
  title: { en: 'Keyboard shortcuts', ko: '키보드 단축키' },
  palette: { en: 'Command menu', ko: '명령 메뉴' },
  nextRow: { en: 'Next row', ko: '다음 행' },
  previousRow: { en: 'Previous row', ko: '이전 행' },
  fold: {
    en: 'Open and close a flow run in the list of jobs',
    ko: '작업 목록에서 플로우 실행 펼치기와 접기',
  },
  filter: { en: 'Filter this list', ko: '목록 필터' },
  on: { en: 'Single-key shortcuts', ko: '한 글자 단축키 사용' },
})

const focusFilter = (): void => {
  document.querySelector<HTMLElement>('[data-filter], search select, search input')?.focus()
}

/** Rows above the part of the list that is in view are drawn too. */
const isInView = (row: HTMLElement): boolean => {
  const head = row.closest('[role=table]')?.querySelector('[role=row]')
  return head == null || row.getBoundingClientRect().top >= head.getBoundingClientRect().bottom
}

/** Enters the list of the page. From there, the list itself moves from row to row. */
const enterList = (): void => {
  if (document.activeElement?.closest('[role=row]') != null) return
  const rows = [...document.querySelectorAll<HTMLElement>('main [data-row-link]')]
  const top = (row: HTMLElement): number => row.getBoundingClientRect().top
  rows
    .filter(isInView)
    .sort((one, other) => top(one) - top(other))[0]
    ?.focus()
}

export const ShortcutHelp = () => {
  const t = useMessages(messages)
  const [isOpen, setOpen] = useState(false)
  const shortcuts = useShortcutList()
  const isOn = useSetting('shortcuts') !== 'off'
  useShortcut('?', t.title, () => setOpen(true))
  useShortcut('/', t.filter, focusFilter)
  useShortcut('j', t.nextRow, enterList)
  useShortcut('k', t.previousRow, enterList)
  return (
    <Dialog isOpen={isOpen} onClose={() => setOpen(false)} title={t.title}>
      <Facts
        facts={[
          [isApple ? '⌘K' : 'Ctrl K', t.palette],
          ['→, ←', t.fold],
          ...shortcuts.map(({ keys, label }) => [keys, label] as const),
        ]}
      />
      <p style={{ marginTop: '1rem' }}>
        <CheckField
          label={t.on}
          checked={isOn}
          onChange={(event) => keepSetting('shortcuts', event.target.checked ? null : 'off')}
        />
      </p>
    </Dialog>
  )
}
