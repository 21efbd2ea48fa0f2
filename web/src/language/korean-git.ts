/** Why a git source could not be fetched or deployed, in Korean. */
export const KOREAN_GIT: readonly (readonly [RegExp, string])[] = [
  [
    /^The git source could not be fetched: ssh cannot read `auth\.private_key`, which must be a whole private key\.$/,
    'SSH 비공개 키(`auth.private_key`)를 읽을 수 없습니다. 키 전체를 입력하세요.',
  ],
  [
    /^The git source could not be fetched: it asks for credentials, or does not accept those in `auth`\.$/,
    '인증 정보가 필요하거나, 입력한 인증 정보(`auth`)가 거부되었습니다.',
  ],
  [
    /^The git source could not be fetched: there is no repository at this address, or none that these credentials may see\.$/,
    '이 주소에 저장소가 없거나, 이 인증 정보로는 볼 수 없습니다.',
  ],
  [
    /^The git source could not be fetched: the temporary folder of the server is full, and an operator has to free some space there\.$/,
    '서버의 임시 폴더가 가득 찼습니다. 운영자가 공간을 확보해야 합니다.',
  ],
  [
    /^The git source could not be fetched: its host name does not resolve\.$/,
    '호스트 이름을 찾을 수 없습니다.',
  ],
  [
    /^The git source could not be fetched: its TLS certificate could not be verified\.$/,
    'TLS 인증서를 확인할 수 없습니다.',
  ],
  [
    /^The git source could not be fetched: its ssh host key is not the one in `auth\.known_hosts`\.$/,
    'SSH 호스트 키가 `auth.known_hosts`의 키와 다릅니다.',
  ],
  [
    /^The git source could not be fetched: it does not accept connections\.$/,
    '서버에 연결할 수 없습니다.',
  ],
  [
    /^The git source could not be fetched: it has an object, or a list of branches, that is larger than svc accepts\.$/,
    '저장소의 객체나 브랜치 목록이 svc의 한도보다 큽니다.',
  ],
  [
    /^The git source could not be fetched: it redirects to another address; use that one\.$/,
    '다른 주소로 옮겨진 저장소입니다. 새 주소를 입력하세요.',
  ],
  [
    /^The git source could not be fetched: its server does not serve this repository\.$/,
    '서버가 이 저장소를 제공하지 않습니다.',
  ],
  [
    /^The git source could not be fetched: it did not answer in time\.$/,
    '제때 응답하지 않았습니다.',
  ],
  [/^The git source could not be fetched: svc is stopping\.$/, 'svc가 종료되는 중입니다.'],
  [
    /^The git source could not be fetched: its answer is larger than svc accepts\.$/,
    '응답이 svc의 한도보다 큽니다.',
  ],
  [/^The git source could not be fetched: git gave no reason\.$/, '원인을 알 수 없습니다.'],
  [/^The git source has no branch "(.+)"\.$/, '저장소에 "$1" 브랜치가 없습니다.'],
  [
    /^The git source has no commit on its default branch\. Push one, or name a branch\.$/,
    '저장소의 기본 브랜치에 커밋이 없습니다. 커밋을 푸시하거나 브랜치를 지정하세요.',
  ],
  [
    /^The newest commit of the repository takes more than (.+) MiB\. Remove .+$/,
    '저장소의 최신 커밋이 $1MiB를 넘습니다. 큰 파일을 지우거나 다른 곳에 보관하세요.',
  ],
  [
    /^The list of the repository's files takes more than (.+) MiB\. Keep .+$/,
    '저장소의 파일 목록이 $1MiB를 넘습니다. 더 작은 폴더나 저장소에 앱을 두세요.',
  ],
  [
    /^The files of an app take more than (.+) MiB\. Remove .+$/,
    '앱의 파일이 모두 $1MiB를 넘습니다.',
  ],
  [
    /^There is no app\.yaml or app\.json in .+ or its first-level folders\.$/,
    '저장소나 지정한 폴더, 그 바로 아래 폴더에 app.yaml이나 app.json이 없습니다.',
  ],
  [
    /^There are more than (\d+) apps in .+, the most that a git source may have\. Move .+$/,
    '앱이 $1개보다 많습니다. Git 소스 하나에는 $1개까지 둘 수 있습니다. 일부를 다른 폴더나 저장소로 옮기고 Git 소스를 따로 추가하세요.',
  ],
  [/^The git source was not deployed because of .+\.$/, '문제가 있어 배포하지 않았습니다.'],
]
