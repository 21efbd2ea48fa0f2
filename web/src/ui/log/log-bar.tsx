/** The tools of a log: search, wrap, show times, follow, copy, download. */
import { ArrowDown, ArrowDownToLine, ArrowUp, Clock, Download, WrapText } from 'lucide-react'
import type { KeyboardEvent, ReactNode } from 'react'
import { isComposing } from '../../browser/keys.ts'
import { defineMessages, plural, useMessages } from '../../language/messages.ts'
import { buttonClass, IconButton } from '../button.tsx'
import { CopyButton } from '../copy-button.tsx'
import styles from './log-view.module.css'

const messages = defineMessages({
  lines: {
    en: (n: string, count: number) => `${n} ${plural(count, 'line', 'lines')}`,
    ko: (n: string) => `${n}줄`,
  },
  search: { en: 'Search the log', ko: '로그 검색' },
  found: {
    en: (at: number, all: number) => (all === 0 ? 'Not found' : `${at} of ${all}`),
    ko: (at: number, all: number) => (all === 0 ? '없음' : `${all}개 중 ${at}번째`),
  },
  next: { en: 'Next match', ko: '다음 결과' },
  previous: { en: 'Previous match', ko: '이전 결과' },
  wrap: { en: 'Wrap long lines', ko: '긴 줄 바꿈' },
  times: { en: 'Show times and streams', ko: '시각과 스트림 표시' },
  follow: { en: 'Follow', ko: '끝 따라가기' },
  copy: { en: 'Copy the log', ko: '로그 복사' },
  download: { en: 'Download the log', ko: '로그 내려받기' },
})

export type LogSearch = Readonly<{
  wanted: string
  onWanted: (text: string) => void
  /** The index of the shown match, from 0, and the number of matches. */
  at: number
  count: number
  /** Moves to the next or previous match. */
  onStep: (by: 1 | -1) => void
}>

export type LogBarProps = Readonly<{
  count: number
  search: LogSearch
  isWrapped: boolean
  onWrap: () => void
  hasTimes: boolean
  onTimes: () => void
  onFollow: () => void
  /** Returns the whole log as shown, without colours. */
  read: () => string
  href: string
  fileName: string
}>

export const LogBar = (props: LogBarProps) => {
  const t = useMessages(messages)
  const { count, search, isWrapped, onWrap, hasTimes, onTimes, onFollow, read } = props
  return (
    <div className={styles.bar}>
      <span>{t.lines(count.toLocaleString(), count)}</span>
      <SearchField {...search} />
      <Toggle label={t.times} isOn={hasTimes} onPress={onTimes} icon={<Clock size={15} />} />
      <Toggle label={t.wrap} isOn={isWrapped} onPress={onWrap} icon={<WrapText size={15} />} />
      <IconButton label={t.follow} icon={<ArrowDownToLine size={15} />} onClick={onFollow} />
      <CopyButton label={t.copy} text={read} />
      <a
        className={buttonClass('quiet', true)}
        href={props.href}
        download={props.fileName}
        aria-label={t.download}
        title={t.download}
      >
        <Download size={15} />
      </a>
    </div>
  )
}

type ToggleProps = Readonly<{ label: string; isOn: boolean; onPress: () => void; icon: ReactNode }>

const Toggle = ({ label, isOn, onPress, icon }: ToggleProps) => (
  <IconButton label={label} icon={icon} aria-pressed={isOn} onClick={onPress} />
)

const SearchField = ({ wanted, onWanted, at, count, onStep }: LogSearch) => {
  const t = useMessages(messages)
  const onKeyDown = (event: KeyboardEvent): void => {
    if (isComposing(event.nativeEvent)) return
    if (event.key === 'Enter') onStep(event.shiftKey ? -1 : 1)
    else if (event.key === 'Escape' && wanted !== '') onWanted('')
    else return
    event.preventDefault()
  }
  return (
    <search className={styles.search}>
      <input
        type="search"
        data-filter
        placeholder={t.search}
        aria-label={t.search}
        value={wanted}
        onChange={(event) => onWanted(event.target.value)}
        onKeyDown={onKeyDown}
      />
      {wanted === '' ? null : (
        <>
          <span role="status">{t.found(at + 1, count)}</span>
          <IconButton
            label={t.previous}
            icon={<ArrowUp size={15} />}
            disabled={count === 0}
            onClick={() => onStep(-1)}
          />
          <IconButton
            label={t.next}
            icon={<ArrowDown size={15} />}
            disabled={count === 0}
            onClick={() => onStep(1)}
          />
        </>
      )}
    </search>
  )
}
