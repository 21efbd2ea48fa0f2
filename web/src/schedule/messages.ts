/** Words of schedules that several pages show. */
import { defineMessages } from '../language/messages.ts'

export const messages = defineMessages({
  enable: {
    en: (name: string) => `Enable ${name}`,
    ko: (name: string) => `${name} 일정 사용`,
  },
  notChanged: { en: 'Could not change the schedule', ko: '일정을 변경하지 못했습니다' },
})
