/** Words of schedules that several pages show. */
import { defineMessages } from '../language/messages.ts'

export const messages = defineMessages({
  enable: {
    en: (name: string) => `Run ${name} by the clock`,
    ko: (name: string) => `${name} 일정 사용`,
  },
  notChanged: { en: 'The schedule was not changed', ko: '일정을 변경하지 못했습니다' },
})
