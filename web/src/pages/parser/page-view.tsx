/** A page of the PDF, with a box over each entry on it. */
import { ChevronLeft, ChevronRight } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import { useMessages } from '../../language/messages.ts'
import { IconButton } from '../../ui/button.tsx'
import { A4, type Mark, type PageSize, placeOf, type Unread } from './entries.ts'
import { messages } from './messages.ts'
import { type Drawing, openPictures, type Pictures } from './page-pictures.ts'
import styles from './page-view.module.css'

export type PageViewProps = Readonly<{
  file: File
  marks: readonly Mark[]
  unread: readonly Unread[]
  page: number
  pageCount: number
  onPage: (page: number) => void
  lit: string | null
  onLight: (id: string | null) => void
  onChoose: (id: string) => void
}>

type Drawn = Drawing & Readonly<{ isBlank: boolean }>

const UNDRAWN: Drawn = { size: A4, lacksPicture: false, isBlank: false }

const usePictures = (file: File): Pictures | null | undefined => {
  // undefined while loading
  const [pictures, setPictures] = useState<Pictures | null>()
  useEffect(() => {
    let isGone = false
    let opened: Pictures | null = null
    const open = async (): Promise<void> => {
      opened = await openPictures(file)
      if (isGone) opened?.close()
      else setPictures(opened)
    }
    void open()
    return () => {
      isGone = true
      opened?.close()
    }
  }, [file])
  return pictures
}

/** Each drawing has its own canvas, so that overlapping ones cannot mix. */
const useDrawing = (pictures: Pictures | null | undefined, page: number) => {
  const place = useRef<HTMLDivElement>(null)
  const [drawn, setDrawn] = useState(UNDRAWN)
  useEffect(() => {
    if (pictures === undefined) return
    let isGone = false
    const canvas = document.createElement('canvas')
    const draw = async (): Promise<void> => {
      const drawing = (await pictures?.draw(page, canvas)) ?? null
      if (isGone) return
      place.current?.replaceChildren(...(drawing === null ? [] : [canvas]))
      setDrawn(drawing === null ? { ...UNDRAWN, isBlank: true } : { ...drawing, isBlank: false })
    }
    void draw()
    return () => {
      isGone = true
    }
  }, [pictures, page])
  return { place, drawn }
}

/** As wide as possible, but not taller than the window. */
const paperStyle = ({ width, height }: PageSize) => ({
  aspectRatio: `${width} / ${height}`,
  width: `min(100%, calc((100dvh - 6rem) * ${(width / height).toFixed(4)}))`,
})

export const PageView = (props: PageViewProps) => {
  const { file, marks, unread, page, pageCount, onPage, lit, onLight, onChoose } = props
  const t = useMessages(messages)
  const { place, drawn } = useDrawing(usePictures(file), page)
  const { size, lacksPicture, isBlank } = drawn
  return (
    <section className={styles.view} aria-label={t.picture}>
      <div className={styles.pager}>
        <IconButton
          label={t.previous}
          icon={<ChevronLeft size={16} />}
          disabled={page <= 1}
          onClick={() => onPage(page - 1)}
        />
        <span role="status">{t.page(page, pageCount)}</span>
        <IconButton
          label={t.next}
          icon={<ChevronRight size={16} />}
          disabled={page >= pageCount}
          onClick={() => onPage(page + 1)}
        />
      </div>
      {isBlank ? <p className={styles.hint}>{t.blank}</p> : null}
      {lacksPicture ? <p className={styles.hint}>{t.noPicture}</p> : null}
      <div className={styles.paper} style={paperStyle(size)}>
        <div ref={place} className={styles.picture} aria-hidden="true" />
        {marks
          .filter((mark) => mark.page === page)
          .map((mark) => (
            <button
              key={mark.id}
              type="button"
              className={styles.box}
              style={placeOf(mark.box, size)}
              aria-label={mark.label}
              title={mark.label}
              data-lit={mark.id === lit ? '' : undefined}
              data-struck={mark.isStruck ? '' : undefined}
              onMouseEnter={() => onLight(mark.id)}
              onMouseLeave={() => onLight(null)}
              onFocus={() => onLight(mark.id)}
              onClick={() => onChoose(mark.id)}
            />
          ))}
        {unread
          .filter((one) => one.page === page)
          .map((one) => (
            <span
              key={`${one.box.left} ${one.box.top} ${one.text}`}
              className={styles.unread}
              style={placeOf(one.box, size)}
              role="img"
              aria-label={t.unread(one.text)}
              title={t.unread(one.text)}
            />
          ))}
      </div>
    </section>
  )
}
