/** The palette, which reaches everything by typing: apps, pages, actions of this page, schedules, settings, and a job by its id. */
import { Autocomplete } from '@base-ui/react/autocomplete'
import { useState } from 'react'
import { defineMessages, useMessages } from '../language/messages.ts'
import { Dialog } from '../ui/dialog.tsx'
import styles from './palette.module.css'
import { type PaletteItem, usePaletteItems } from './palette-items.ts'

const messages = defineMessages({
  title: { en: 'Command menu', ko: '명령 메뉴' },
  hint: {
    en: 'Search, or type “run app/action” or a job ID',
    ko: '검색어, “run 앱/액션” 또는 작업 ID 입력',
  },
  none: { en: 'No results', ko: '일치하는 항목이 없습니다.' },
})

export type PaletteProps = Readonly<{ isOpen: boolean; onClose: () => void }>

export const Palette = ({ isOpen, onClose }: PaletteProps) => {
  const t = useMessages(messages)
  return (
    <Dialog isOpen={isOpen} onClose={onClose} title={t.title}>
      <Choices onClose={onClose} />
    </Dialog>
  )
}

const Choices = ({ onClose }: Readonly<{ onClose: () => void }>) => {
  const t = useMessages(messages)
  const [typed, setTyped] = useState('')
  const items = usePaletteItems(typed)
  return (
    <Autocomplete.Root
      inline
      open
      items={items}
      // the items are already filtered by the typed text
      filter={null}
      value={typed}
      onValueChange={setTyped}
      itemToStringValue={(item: PaletteItem) => item.label}
      autoHighlight="always"
    >
      <Autocomplete.Input
        className={styles.input}
        placeholder={t.hint}
        aria-label={t.title}
        // while a syllable is composed, the input itself reports no change
        onInput={({ currentTarget }) => setTyped(currentTarget.value)}
      />
      <Autocomplete.Empty>
        {items.length === 0 ? <p className={styles.none}>{t.none}</p> : null}
      </Autocomplete.Empty>
      <Autocomplete.List className={styles.list}>
        {(item: PaletteItem) => (
          <Autocomplete.Item
            key={item.id}
            value={item}
            className={styles.item}
            onClick={() => {
              onClose()
              item.run()
            }}
          >
            <span>{item.label}</span>
            <span className="hint">{item.kind}</span>
          </Autocomplete.Item>
        )}
      </Autocomplete.List>
    </Autocomplete.Root>
  )
}
