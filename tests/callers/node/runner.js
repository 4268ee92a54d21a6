// Plays the contract cases and the callers' programme (../README.md) in Node.   usage: node runner.js SDK_FOLDER
import { Buffer } from 'node:buffer'
import { existsSync, readFileSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import process from 'node:process'
import { Core } from './corecall.js'

const sdk = process.argv[2]
const library = join(sdk, 'lib', 'libcorecall.so')

/** Status and reply, with a `*` for an error's message. */
function shown({ status, json }, between) {
  if (status !== 0) json = json.replace(/,"message":".*?","path":/s, ',"message":"*","path":')
  return `${status}${between}${json}`
}

const show = (name, reply) => console.log(`${name}: ${shown(reply, ' ')}`)
const numbers = (path) => readFileSync(path, 'utf8').split(/\s+/).filter(Boolean).map((word) => Number(word.replace('inf', 'Infinity')))

function attachments(folder, step) {
  const found = []
  for (;;) {
    const path = join(folder, `${step}.attachment-${found.length}`)
    if (existsSync(`${path}.f32`)) found.push(Buffer.from(Float32Array.from(numbers(`${path}.f32`)).buffer))
    else if (existsSync(`${path}.u8`)) found.push(Buffer.from(numbers(`${path}.u8`)))
    else return found
  }
}

async function play(folder) {
  const config = join(folder, 'config.json')
  const core = new Core(library, existsSync(config) ? readFileSync(config) : '{}')
  let good = true
  let step = 1
  for (; existsSync(join(folder, `${step}.request.json`)); step++) {
    const reply = await core.send(readFileSync(join(folder, `${step}.request.json`)), attachments(folder, step))
    const got = Buffer.from(shown(reply, '\n') + '\n')
    if (!got.equals(readFileSync(join(folder, `${step}.expect`)))) {
      console.log(`FAILED ${folder} step ${step}: ${got}`)
      good = false
    }
  }
  return core.close() === 0 && good && step > 1
}

async function cases(folder) {
  const names = readdirSync(folder, { withFileTypes: true }).filter((item) => item.isDirectory()).map((item) => item.name)
  let passed = 0
  for (const name of names.sort()) passed += await play(join(folder, name))
  console.log(`${passed} passed, ${names.length - passed} failed`)
}

async function threads(core) {
  const payload = { model: 'test-hash:64', entries: [{ id: 'a', content: 'two threads at once' }] }
  const alone = await core.call('prepare', payload)
  let same = 0
  // Each runs on a thread of the pool, two at once.
  const ask = async () => {
    for (let round = 0; round < 100; round++) {
      const reply = await core.call('prepare', payload)
      same += reply.status === 0 && reply.json === alone.json
    }
  }
  await Promise.all([ask(), ask()])
  console.log(`threads: ${same} replies as alone`)
}

async function cancel(core) {
  const entries = Array.from({ length: 5000 }, (_, n) => ({ id: `m${n}`, content: 'a long call' }))
  let last
  let returned = false
  const worker = (async () => {
    for (let round = 0; round < 100 && !last?.status; round++) {
      last = await core.call('prepare', { model: 'test-hash:256', entries }, [], 7)
    }
    returned = true
  })()
  while (!returned) {
    core.cancel(7)
    await new Promise((resume) => setImmediate(resume))
  }
  await worker
  show('cancel', last)
}

const rows = Array.from({ length: 64 }, (_, n) => n)

function publish(core, model, features, more, attached) {
  const snapshots = rows.map((n) => ({ id: `m${n}`, entry: { id: `m${n}`, title: `t${n}` }, ...features[n] }))
  return core.call('resident_publish', { model, snapshots, ...more }, attached)
}

function related(core, model, key) {
  return core.call('related_business', {
    model,
    resident_key: key,
    query: { text: '', limit: 1 },
    ids: ['m5'],
    pairs: [],
    related_settings: { relations: ['neighbor'] }
  })
}

async function mebibyte(core) {
  // 64 rows of 4,096 numbers are 1 MiB; each two rows are equal, so m4 is the neighbour of m5.
  const data = new Float32Array(64 * 4096)
  for (const n of rows) data[n * 4096 + (n >> 1)] = 1
  const vectors = { ids: rows.map((n) => `m${n}`), data: { $attachment: 0, dtype: 'f32', shape: [64, 4096] } }
  show('1 MiB in', await publish(core, 'host:caller', {}, { vectors }, [Buffer.from(data.buffer)]))
  show('related', await related(core, 'host:caller', 'r1'))

  const entries = rows.map((n) => ({ id: `m${n}`, content: String(1000 + (n >> 1)) }))
  const out = (await core.call('prepare', { model: 'test-hash:4096', entries })).attachments
  const size = out.reduce((sum, bytes) => sum + bytes.length, 0)
  console.log(`attachments out: ${out.length}, ${size >= 1 << 20 ? '1 MiB or more' : 'less than 1 MiB'}`)
  const features = out.map((bytes, at) => ({ features: { artifact: { $attachment: at, dtype: 'u8', shape: [bytes.length] } } }))
  show('and in again', await publish(core, 'test-hash:4096', features, {}, out))
  show('related', await related(core, 'test-hash:4096', 'r2'))
}

await cases(join(sdk, 'share', 'corecall', 'contract', 'cases'))
const core = new Core(library, '') // NULL and length 0
await threads(core)
await cancel(core)
await mebibyte(core)
show('no request', await core.send(Buffer.alloc(0)))
show('empty attachment', await core.call('capabilities', {}, [Buffer.alloc(0)]))
console.log(`close: ${core.close()}`)
show('call after close', await core.call('capabilities', {}))
console.log(`close again: ${core.close()}`)
