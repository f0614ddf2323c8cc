/* A small renderer of dice on a table, for training pictures.
 *
 * Bodies (dice, other polyhedra, discs, lumps) stand on a textured plane z = 0 under one or two lamps and a hemisphere
 * of ambient light. Lengths are millimetres, z points up. Rays meet rounded boxes, discs and lumps by marching over
 * signed distances, and convex polyhedra in closed form. Pips are drawn and hollowed by bending the normal, which at
 * training size looks as the true hollow does and costs a tenth.
 *
 * Every struct holds 32-bit numbers only, so that numpy's structured arrays have the same layout (see render.py).
 */
#include <math.h>
#include <stdint.h>
#include <string.h>

#define PIPS 9
#define PLANES 20
#define PARTS 10
#define DECAL 64

typedef struct { float x, y, z; } V;

enum { SHAPE_BOX = 0, SHAPE_POLYHEDRON = 1, SHAPE_DISC = 2, SHAPE_LUMP = 3 };
enum { PLAIN = 0, MARBLE = 1, TWO_TONE = 2, SPECKLE = 3, GLITTER = 4, WOOD = 5, CLOUD = 6, FELT = 7 };
enum { PAINTED = 0, DRILLED = 1, RING = 2, TARGET = 3, SQUARE = 4 };

typedef struct {
    int32_t shape, pattern, pip_style, up_face;
    float centre[3];
    float axes[9];              /* rows are the body's x, y, z axes in the world */
    float half[3];
    float edge_radius, cut_radius, bound_radius;
    float colour[3], colour2[3];
    float pattern_scale, seed;
    float specular, metal, translucency, roughness;
    float pip_depth, pip_metal, pip_wear, frame;
    float pip_colour[18];       /* one colour a face, linear RGB */
    int32_t pip_count[6];
    float pips[6 * PIPS * 3];   /* u, v, radius in half edges */
    int32_t decal[PLANES];      /* atlas index for each face, -1 for none */
    float decal_size, decal_turn;
    int32_t plane_count, part_count;
    float planes[PLANES * 4];   /* unit normal, distance */
    float parts[PARTS * 8];     /* a, radius at a, b, radius at b */
} Body;

typedef struct { float position[3]; float axes[9]; float fx, fy, cx, cy; } Camera;
typedef struct { float position[3]; float colour[3]; float sharpness, pool_x, pool_y, pool_radius, pool_floor; } Light;
typedef struct {
    float map[6];               /* texture pixel from table mm */
    float gloss, bump;
    float sky[3], floor_bounce[3], window[3], window_dir[3];
    float window_size, exposure;
    int32_t width, height, levels;
} Ground;

static V v3(float x, float y, float z) { V r = {x, y, z}; return r; }
static V add(V a, V b) { return v3(a.x + b.x, a.y + b.y, a.z + b.z); }
static V sub(V a, V b) { return v3(a.x - b.x, a.y - b.y, a.z - b.z); }
static V mul(V a, float s) { return v3(a.x * s, a.y * s, a.z * s); }
static V times(V a, V b) { return v3(a.x * b.x, a.y * b.y, a.z * b.z); }
static float dot(V a, V b) { return a.x * b.x + a.y * b.y + a.z * b.z; }
static float length(V a) { return sqrtf(dot(a, a)); }
static V unit(V a) { return mul(a, 1.0f / (length(a) + 1e-12f)); }
static V from(const float *p) { return v3(p[0], p[1], p[2]); }
static float clamp(float x, float lo, float hi) { return x < lo ? lo : x > hi ? hi : x; }
static float step_smooth(float a, float b, float x) { float t = clamp((x - a) / (b - a), 0, 1); return t * t * (3 - 2 * t); }
static V mix(V a, V b, float t) { return add(mul(a, 1 - t), mul(b, t)); }
static float comp(V a, int i) { return i == 0 ? a.x : i == 1 ? a.y : a.z; }

static V to_body(const Body *b, V p) {
    return v3(b->axes[0] * p.x + b->axes[1] * p.y + b->axes[2] * p.z, b->axes[3] * p.x + b->axes[4] * p.y + b->axes[5] * p.z,
              b->axes[6] * p.x + b->axes[7] * p.y + b->axes[8] * p.z);
}
static V to_world(const Body *b, V p) {
    return v3(b->axes[0] * p.x + b->axes[3] * p.y + b->axes[6] * p.z, b->axes[1] * p.x + b->axes[4] * p.y + b->axes[7] * p.z,
              b->axes[2] * p.x + b->axes[5] * p.y + b->axes[8] * p.z);
}

static inline uint32_t hash(uint32_t x) { x ^= x >> 16; x *= 0x7feb352dU; x ^= x >> 15; x *= 0x846ca68bU; return x ^ (x >> 16); }
static inline float cell(int x, int y, int z, uint32_t seed) {
    return (hash((uint32_t)x * 73856093U ^ (uint32_t)y * 19349663U ^ (uint32_t)z * 83492791U ^ seed) & 0xffffff) / 16777216.0f;
}
static float noise(V p, uint32_t seed) {
    float fx = floorf(p.x), fy = floorf(p.y), fz = floorf(p.z);
    int x = (int)fx, y = (int)fy, z = (int)fz;
    float u = p.x - fx, v = p.y - fy, w = p.z - fz;
    u = u * u * (3 - 2 * u); v = v * v * (3 - 2 * v); w = w * w * (3 - 2 * w);
    float c00 = cell(x, y, z, seed) * (1 - u) + cell(x + 1, y, z, seed) * u;
    float c10 = cell(x, y + 1, z, seed) * (1 - u) + cell(x + 1, y + 1, z, seed) * u;
    float c01 = cell(x, y, z + 1, seed) * (1 - u) + cell(x + 1, y, z + 1, seed) * u;
    float c11 = cell(x, y + 1, z + 1, seed) * (1 - u) + cell(x + 1, y + 1, z + 1, seed) * u;
    return (c00 * (1 - v) + c10 * v) * (1 - w) + (c01 * (1 - v) + c11 * v) * w;
}
static float clouds(V p, uint32_t seed) {
    return 0.53f * noise(p, seed) + 0.27f * noise(mul(p, 2.1f), seed + 1) + 0.13f * noise(mul(p, 4.3f), seed + 2) + 0.07f * noise(mul(p, 8.9f), seed + 3);
}

/* Signed distance from body coordinates; a lower bound for polyhedra. */
static float distance(const Body *b, V p) {
    if (b->shape == SHAPE_BOX) {
        float r = b->edge_radius;
        float qx = fabsf(p.x) - b->half[0] + r, qy = fabsf(p.y) - b->half[1] + r, qz = fabsf(p.z) - b->half[2] + r;
        float ox = qx > 0 ? qx : 0, oy = qy > 0 ? qy : 0, oz = qz > 0 ? qz : 0;
        float inner = fmaxf(qx, fmaxf(qy, qz));
        float d = sqrtf(ox * ox + oy * oy + oz * oz) + (inner < 0 ? inner : 0) - r;
        if (b->cut_radius > 0) d = fmaxf(d, length(p) - b->cut_radius);
        return d;
    }
    if (b->shape == SHAPE_DISC) {
        float r = b->edge_radius, q = sqrtf(p.x * p.x + p.y * p.y) - b->half[0] + r, h = fabsf(p.z) - b->half[2] + r;
        float oq = q > 0 ? q : 0, oh = h > 0 ? h : 0, inner = fmaxf(q, h);
        return sqrtf(oq * oq + oh * oh) + (inner < 0 ? inner : 0) - r;
    }
    if (b->shape == SHAPE_POLYHEDRON) {
        float d = length(p) - b->bound_radius * 0.97f;
        for (int i = 0; i < b->plane_count; i++) {
            const float *q = b->planes + 4 * i;
            d = fmaxf(d, q[0] * p.x + q[1] * p.y + q[2] * p.z - q[3]);
        }
        return d;
    }
    float d = 1e9f;
    for (int i = 0; i < b->part_count; i++) {
        const float *q = b->parts + 8 * i;
        V a = from(q), ba = sub(from(q + 4), a), pa = sub(p, a);
        float t = clamp(dot(pa, ba) / (dot(ba, ba) + 1e-9f), 0, 1);
        float e = length(sub(pa, mul(ba, t))) - (q[3] + t * (q[7] - q[3]));
        float k = 0.8f, h = fmaxf(k - fabsf(d - e), 0) / k;
        d = fminf(d, e) - h * h * k * 0.25f;
    }
    return d;
}

static V normal_of(const Body *b, V p) {
    float e = 0.002f * b->bound_radius + 0.01f;
    V k1 = v3(1, -1, -1), k2 = v3(-1, -1, 1), k3 = v3(-1, 1, -1), k4 = v3(1, 1, 1);
    return unit(add(add(mul(k1, distance(b, add(p, mul(k1, e)))), mul(k2, distance(b, add(p, mul(k2, e))))),
                    add(mul(k3, distance(b, add(p, mul(k3, e)))), mul(k4, distance(b, add(p, mul(k4, e)))))));
}

/* Distance along the ray to the body, or a negative number. o and d are in body coordinates. */
static float meet(const Body *b, V o, V d) {
    float mid = -dot(o, d), miss2 = dot(o, o) - mid * mid, r = b->bound_radius;
    if (miss2 > r * r) return -1;
    float reach = sqrtf(r * r - miss2), t = mid - reach, end = mid + reach;
    if (end <= 0) return -1;
    if (t < 0) t = 0;
    if (b->shape == SHAPE_BOX) {
        for (int i = 0; i < 3; i++) {
            float di = comp(d, i), oi = comp(o, i);
            if (fabsf(di) < 1e-9f) { if (fabsf(oi) > b->half[i]) return -1; continue; }
            float t0 = (-b->half[i] - oi) / di, t1 = (b->half[i] - oi) / di;
            if (t0 > t1) { float s = t0; t0 = t1; t1 = s; }
            if (t0 > t) t = t0;
            if (t1 < end) end = t1;
        }
        if (t > end) return -1;
        if (b->edge_radius < 0.05f && b->cut_radius <= 0) return t;
    } else if (b->shape == SHAPE_POLYHEDRON) {
        for (int i = 0; i < b->plane_count; i++) {
            const float *q = b->planes + 4 * i;
            float dn = q[0] * d.x + q[1] * d.y + q[2] * d.z, on = q[0] * o.x + q[1] * o.y + q[2] * o.z - q[3];
            if (fabsf(dn) < 1e-9f) { if (on > 0) return -1; continue; }
            float s = -on / dn;
            if (dn < 0) { if (s > t) t = s; } else if (s < end) end = s;
        }
        return t > end ? -1 : t;
    }
    float near = 0.004f * b->bound_radius;
    for (int i = 0; i < 40 && t < end; i++) {
        float h = distance(b, add(o, mul(d, t)));
        if (h < near) return t;
        t += h;
    }
    return -1;
}

/* Which face a point of a box belongs to, and its place on it in half edges. */
static int face_of(const Body *b, V p, float *u, float *v) {
    float s[3] = {p.x / b->half[0], p.y / b->half[1], p.z / b->half[2]};
    int a = fabsf(s[0]) > fabsf(s[1]) ? (fabsf(s[0]) > fabsf(s[2]) ? 0 : 2) : (fabsf(s[1]) > fabsf(s[2]) ? 1 : 2);
    *u = s[(a + 1) % 3];
    *v = s[(a + 2) % 3];
    return 2 * a + (s[a] < 0);
}

static float decal_at(const uint8_t *atlas, int index, float u, float v) {
    float x = (u * 0.5f + 0.5f) * DECAL - 0.5f, y = (v * 0.5f + 0.5f) * DECAL - 0.5f;
    int ix = (int)floorf(x), iy = (int)floorf(y);
    if (ix < 0 || iy < 0 || ix >= DECAL - 1 || iy >= DECAL - 1) return 0;
    const uint8_t *q = atlas + ((size_t)index * DECAL + iy) * DECAL + ix;
    float fx = x - ix, fy = y - iy;
    return ((q[0] * (1 - fx) + q[1] * fx) * (1 - fy) + (q[DECAL] * (1 - fx) + q[DECAL + 1] * fx) * fy) / 255.0f;
}

/* How far a face point lies in a pip (0..1); bends the normal of hollow ones. bend is in body coordinates. */
static float pip_at(const Body *b, int face, float u, float v, V view, const uint8_t *atlas, V *bend, float *shade) {
    int a = face / 2, ua = (a + 1) % 3, va = (a + 2) % 3;
    float best = 0;
    float facing = fabsf(comp(view, a)) + 0.15f;
    const float *p = b->pips + face * PIPS * 3;
    for (int i = 0; i < b->pip_count[face]; i++, p += 3) {
        float du = u - p[0], dv = v - p[1], r = p[2];
        float rho = b->pip_style == SQUARE ? fmaxf(fabsf(du), fabsf(dv)) / r : sqrtf(du * du + dv * dv) / r;
        if (rho > 1.0f) continue;
        if (b->pip_style == RING) { if (rho > 0.55f) best = 1; continue; }
        if (b->pip_style == TARGET) { if (rho > 0.72f || rho < 0.45f) best = 1; continue; }
        best = 1;
        if (b->pip_style == DRILLED && b->pip_depth > 0) {
            float depth = b->pip_depth * (1 - rho * rho);              /* in pip radii */
            float su = du / r + comp(view, ua) / facing * depth, sv = dv / r + comp(view, va) / facing * depth;
            float k = 2.0f * b->pip_depth;
            float n[3] = {0, 0, 0};
            n[ua] = -k * su;
            n[va] = -k * sv;
            *bend = v3(n[0], n[1], n[2]);
            *shade = 1 - 0.45f * b->pip_depth * (1 - rho * rho * rho * rho);
        }
    }
    if (b->frame > 0) {
        float m = fmaxf(fabsf(u), fabsf(v));
        if (m > b->frame && m < b->frame + 0.07f) best = fmaxf(best, 1);
    }
    if (b->decal[face] >= 0 && b->shape == SHAPE_BOX) {
        float c = cosf(b->decal_turn * (1 + face)), s = sinf(b->decal_turn * (1 + face)), k = 1.0f / b->decal_size;
        best = fmaxf(best, decal_at(atlas, b->decal[face], (c * u - s * v) * k, (s * u + c * v) * k));
    }
    return best;
}

static V body_colour(const Body *b, V p, float *glint) {
    V c1 = from(b->colour), c2 = from(b->colour2);
    uint32_t seed = (uint32_t)(b->seed * 65536.0f);
    V q = mul(p, b->pattern_scale / (b->half[0] + 1e-6f));
    *glint = 0;
    switch (b->pattern) {
    case MARBLE: { float t = 0.5f + 0.5f * sinf(3.0f * q.x + 2.0f * q.y + 7.0f * clouds(q, seed)); return mix(c1, c2, t * t); }
    case TWO_TONE: { float t = step_smooth(-0.25f, 0.25f, 0.6f * q.x + 0.5f * q.y - 0.62f * q.z + 2.2f * (clouds(q, seed) - 0.5f)); return mix(c1, c2, t); }
    case SPECKLE: { V r = mul(q, 7); return cell((int)floorf(r.x), (int)floorf(r.y), (int)floorf(r.z), seed) > 0.72f ? c2 : c1; }
    case GLITTER: { V r = mul(q, 11); float h = cell((int)floorf(r.x), (int)floorf(r.y), (int)floorf(r.z), seed); *glint = h > 0.86f ? (h - 0.86f) * 7 : 0; return h > 0.7f ? c2 : c1; }
    case WOOD: { float w = sqrtf(q.x * q.x + q.y * q.y) * 4 + 2 * noise(q, seed); return mix(c1, c2, 0.5f + 0.5f * sinf(6.0f * w)); }
    case CLOUD: return mix(c1, c2, step_smooth(0.3f, 0.7f, clouds(mul(q, 1.6f), seed)));
    case FELT: { V r = mul(p, 2.2f); return mix(c1, c2, 0.5f * noise(r, seed) + 0.5f * noise(mul(r, 0.13f), seed + 9)); }
    default: return c1;
    }
}

/* Light that gets past the bodies on the way from p towards the lamp. */
static V shadow(const Body *bodies, int count, int self, V p, V dir, float far, float sharp) {
    V out = v3(1, 1, 1);
    for (int i = 0; i < count; i++) {
        const Body *b = bodies + i;
        V rel = sub(p, from(b->centre));
        float mid = -dot(rel, dir), miss2 = dot(rel, rel) - mid * mid;
        float wide = b->bound_radius * 1.02f + fmaxf(mid, 0) / sharp;
        if (mid < -b->bound_radius || miss2 > wide * wide || i == self) continue;
        V o = to_body(b, rel), d = to_body(b, dir);
        float t = fmaxf(0.05f, mid - wide), end = fminf(far, mid + wide), lit = 1;
        for (int k = 0; k < 24 && t < end; k++) {
            float h = distance(b, add(o, mul(d, t)));
            lit = fminf(lit, 0.5f + 0.5f * sharp * h / t);
            if (lit < 0.01f) { lit = 0; break; }
            t += fmaxf(h, 0.06f * b->bound_radius);
        }
        lit = clamp(lit, 0, 1);
        lit = lit * lit * (3 - 2 * lit);
        V pass = mul(add(mul(from(b->colour), 0.9f), v3(0.1f, 0.1f, 0.1f)), 0.75f * b->translucency);
        out = times(out, add(mul(v3(1, 1, 1), lit), mul(pass, 1 - lit)));
    }
    return out;
}

static V sky(const Ground *g, V d) {
    float up = d.z * 0.5f + 0.5f;
    V c = mix(from(g->floor_bounce), from(g->sky), step_smooth(0.2f, 0.9f, up));
    float w = dot(d, from(g->window_dir));
    return add(c, mul(from(g->window), step_smooth(1 - g->window_size * 1.3f, 1 - g->window_size * 0.7f, w)));
}

static float srgb[256];
static int ready;
static void prepare(void) { if (!ready) { for (int i = 0; i < 256; i++) srgb[i] = powf(i / 255.0f, 2.2f); ready = 1; } }

static V texture(const Ground *g, const uint8_t *tex, float x, float y, float footprint) {
    float u = g->map[0] * x + g->map[1] * y + g->map[2], v = g->map[3] * x + g->map[4] * y + g->map[5];
    int w = g->width, h = g->height, level = 0;
    float f = footprint * sqrtf(fabsf(g->map[0] * g->map[4] - g->map[1] * g->map[3]));
    while (level < g->levels - 1 && f > 1.4f) { tex += (size_t)w * h * 3; w /= 2; h /= 2; u *= 0.5f; v *= 0.5f; f *= 0.5f; level++; }
    float fu = floorf(u), fv = floorf(v), du = u - fu, dv = v - fv;
    int x0 = ((int)fu % (2 * w) + 2 * w) % (2 * w), y0 = ((int)fv % (2 * h) + 2 * h) % (2 * h), x1 = (x0 + 1) % (2 * w), y1 = (y0 + 1) % (2 * h);
    if (x0 >= w) x0 = 2 * w - 1 - x0;
    if (x1 >= w) x1 = 2 * w - 1 - x1;
    if (y0 >= h) y0 = 2 * h - 1 - y0;
    if (y1 >= h) y1 = 2 * h - 1 - y1;
    const uint8_t *a = tex + ((size_t)y0 * w + x0) * 3, *b = tex + ((size_t)y0 * w + x1) * 3, *c = tex + ((size_t)y1 * w + x0) * 3, *d = tex + ((size_t)y1 * w + x1) * 3;
    float o[3];
    for (int i = 0; i < 3; i++)
        o[i] = (srgb[a[i]] * (1 - du) + srgb[b[i]] * du) * (1 - dv) + (srgb[c[i]] * (1 - du) + srgb[d[i]] * du) * dv;
    return v3(o[0], o[1], o[2]);
}

typedef struct {
    const Body *bodies; int count;
    const Light *lights; int light_count;
    const Ground *ground; const uint8_t *tex; const uint8_t *atlas;
} Scene;

static V lamp(const Light *l, V p, V *dir, float *far) {
    V d = sub(from(l->position), p);
    *far = length(d);
    *dir = mul(d, 1.0f / *far);
    float dx = p.x - l->pool_x, dy = p.y - l->pool_y;
    float pool = l->pool_floor + (1 - l->pool_floor) * expf(-(dx * dx + dy * dy) / (l->pool_radius * l->pool_radius));
    return mul(from(l->colour), pool);
}

static V lit(const Scene *s, V p, V n, int self, V albedo, float open) {
    V c = mul(mix(from(s->ground->floor_bounce), from(s->ground->sky), 0.5f + 0.5f * n.z), open);
    for (int i = 0; i < s->light_count; i++) {
        V dir; float far;
        V colour = lamp(s->lights + i, p, &dir, &far);
        float k = dot(n, dir);
        if (k <= 0) continue;
        c = add(c, mul(times(colour, shadow(s->bodies, s->count, self, add(p, mul(n, 0.05f)), dir, far, s->lights[i].sharpness)), k));
    }
    return times(c, albedo);
}

static V ground_colour(const Scene *s, V p, float footprint) {
    V albedo = texture(s->ground, s->tex, p.x, p.y, footprint);
    float open = 1;
    for (int i = 0; i < s->count; i++) {
        const Body *b = s->bodies + i;
        float dx = p.x - b->centre[0], dy = p.y - b->centre[1], r = b->bound_radius * 1.5f;
        if (dx * dx + dy * dy > r * r) continue;
        float d = distance(b, to_body(b, sub(p, from(b->centre))));
        open *= 0.35f + 0.65f * step_smooth(-0.1f, 0.7f, d / b->bound_radius);
    }
    return lit(s, p, v3(0, 0, 1), -1, albedo, open);
}

static V body_shade(const Scene *s, int index, V o, V d, float t, int bounce) {
    const Body *b = s->bodies + index;
    V p = add(o, mul(d, t));
    V q = to_body(b, sub(p, from(b->centre))), dq = to_body(b, d);
    V n = normal_of(b, q), bend = v3(0, 0, 0);
    float u = 0, v = 0, pip = 0, shade = 1, glint;
    int face = 0;
    V pipc = from(b->pip_colour);
    V albedo = body_colour(b, q, &glint);
    if (b->shape == SHAPE_BOX) {
        face = face_of(b, q, &u, &v);
        pip = pip_at(b, face, u, v, dq, s->atlas, &bend, &shade);
        pipc = from(b->pip_colour + 3 * face);
    } else if (b->shape == SHAPE_DISC && q.z > 0 && b->decal[0] >= 0) {
        float k = 1.0f / (b->half[0] * b->decal_size);
        pip = decal_at(s->atlas, b->decal[0], q.x * k, q.y * k);
    } else if (b->shape == SHAPE_POLYHEDRON) {
        float top = -2;
        for (int i = 0; i < b->plane_count; i++) {
            float k = dot(from(b->planes + 4 * i), n);
            if (k > top) { top = k; face = i; }
        }
        if (b->decal[face] >= 0) {
            V fn = from(b->planes + 4 * face), up = fabsf(fn.z) < 0.9f ? v3(0, 0, 1) : v3(1, 0, 0);
            V tu = unit(v3(up.y * fn.z - up.z * fn.y, up.z * fn.x - up.x * fn.z, up.x * fn.y - up.y * fn.x));
            V tv = v3(fn.y * tu.z - fn.z * tu.y, fn.z * tu.x - fn.x * tu.z, fn.x * tu.y - fn.y * tu.x);
            float k = 1.0f / (b->bound_radius * b->decal_size);
            pip = decal_at(s->atlas, b->decal[face], dot(q, tu) * k, -dot(q, tv) * k);
        }
    }
    if (pip > 0 && b->pip_wear > 0 && noise(mul(q, 9.0f / b->half[0]), (uint32_t)(b->seed * 1000)) < b->pip_wear) pip *= 0.25f;
    if (pip > 0) n = unit(add(n, bend));
    V nw = to_world(b, n);
    float metal = b->metal * (1 - pip) + b->pip_metal * pip;
    V base = mul(mix(albedo, pipc, pip), pip > 0.5f ? shade : 1.0f);
    float open = 0.55f + 0.45f * clamp(p.z / (2.2f * b->half[2]), 0, 1);
    V c = lit(s, p, nw, index, base, open);
    float away = -dot(d, nw);
    if (b->translucency > 0 && pip < 0.5f && b->shape == SHAPE_BOX) {
        float eta = 1 / 1.5f, k = 1 - eta * eta * (1 - away * away);
        V in = unit(add(mul(dq, eta), mul(n, eta * away - sqrtf(fmaxf(k, 0)))));
        float far = 1e9f;
        for (int i = 0; i < 3; i++) {
            float di = comp(in, i);
            if (fabsf(di) < 1e-6f) continue;
            float e = ((di > 0 ? b->half[i] : -b->half[i]) - comp(q, i)) / di;
            if (e > 0 && e < far) far = e;
        }
        V exit = add(q, mul(in, far)), unused = v3(0, 0, 0);
        float fu, fv, unused2 = 1;
        int ff = face_of(b, exit, &fu, &fv);
        float fp = pip_at(b, ff, fu, fv, in, s->atlas, &unused, &unused2);
        V ew = add(from(b->centre), to_world(b, exit));
        V behind = ew.z < 0.4f * b->half[2] ? mul(texture(s->ground, s->tex, ew.x, ew.y, 0.3f), 0.55f) : mul(sky(s->ground, to_world(b, in)), 0.6f);
        behind = mix(behind, mul(from(b->pip_colour + 3 * ff), 0.5f), fp * 0.8f);
        float depth = far / b->half[0];
        V tint = v3(powf(albedo.x + 0.02f, 0.5f * depth), powf(albedo.y + 0.02f, 0.5f * depth), powf(albedo.z + 0.02f, 0.5f * depth));
        c = mix(c, times(behind, tint), b->translucency);
    }
    V r = sub(d, mul(nw, 2 * dot(d, nw)));
    float fresnel = 0.04f + 0.96f * powf(clamp(1 - away, 0, 1), 5);
    if (b->specular > 0 || metal > 0) {
        V rough = mul(v3(noise(mul(q, 3), 5) - 0.5f, noise(mul(q, 3), 6) - 0.5f, noise(mul(q, 3), 7) - 0.5f), b->roughness);
        V env = r.z < 0 && !bounce ? mul(texture(s->ground, s->tex, p.x + r.x * p.z / (0.05f - r.z), p.y + r.y * p.z / (0.05f - r.z), 1.0f), 0.5f) : sky(s->ground, unit(add(r, rough)));
        c = mix(c, times(base, env), metal * 0.8f);
        c = add(c, mul(env, b->specular * fresnel * (1 - metal)));
        for (int i = 0; i < s->light_count; i++) {
            V dir; float dist;
            V colour = lamp(s->lights + i, p, &dir, &dist);
            float k = dot(r, dir);
            if (k > 0) c = add(c, mul(metal > 0.5f ? times(colour, base) : colour, powf(k, 4.0f + 90.0f * (1 - b->roughness)) * b->specular * (0.5f + metal)));
        }
        if (glint > 0) c = add(c, mul(from(s->ground->window), 0.12f * glint));
    }
    return c;
}

static int nearest(const Scene *s, V o, V d, float *t, int skip) {
    int hit = -1;
    for (int i = 0; i < s->count; i++) {
        if (i == skip) continue;
        const Body *b = s->bodies + i;
        float h = meet(b, to_body(b, sub(o, from(b->centre))), to_body(b, d));
        if (h >= 0 && h < *t) { *t = h; hit = i; }
    }
    return hit;
}

static uint8_t encode(float x) { return (uint8_t)(255.0f * powf(clamp(x, 0, 1), 1 / 2.2f) + 0.5f); }

/* Renders into rgb (height, width, 3). stats gets for every body: x0, y0, x1, y1 of its whole outline, pixels of the
 * outline, of them visible, pixels of the up face, of them visible (one sample a pixel). */
void render(const Body *bodies, int count, const Camera *cam, const Light *lights, int light_count, const Ground *ground,
            const uint8_t *tex, const uint8_t *atlas, int width, int height, uint8_t *rgb, float *stats) {
    static const float jx[4] = {-0.125f, 0.375f, -0.375f, 0.125f}, jy[4] = {-0.375f, -0.125f, 0.125f, 0.375f};
    prepare();
    Scene s = {bodies, count, lights, light_count, ground, tex, atlas};
    V eye = from(cam->position), right = from(cam->axes), down = from(cam->axes + 3), ahead = from(cam->axes + 6);
    float bx[64], by[64], br[64];
    for (int i = 0; i < count; i++) {
        V rel = sub(from(bodies[i].centre), eye);
        float z = dot(rel, ahead), r = bodies[i].bound_radius;
        float zn = fmaxf(z - r, 0.2f * r);
        bx[i] = cam->cx + cam->fx * dot(rel, right) / z;
        by[i] = cam->cy + cam->fy * dot(rel, down) / z;
        br[i] = 1.15f * fmaxf(cam->fx, cam->fy) * r / zn + 2;
        float *q = stats + 8 * i;
        q[0] = q[1] = 1e9f; q[2] = q[3] = -1e9f; q[4] = q[5] = q[6] = q[7] = 0;
    }
    for (int y = 0; y < height; y++) for (int x = 0; x < width; x++) {
        int list[64], n = 0;
        for (int i = 0; i < count; i++) if (fabsf(x - bx[i]) < br[i] && fabsf(y - by[i]) < br[i]) list[n++] = i;
        V sum = v3(0, 0, 0);
        int samples = n ? 4 : 1;
        for (int k = 0; k < samples; k++) {
            float sx = samples > 1 ? x + jx[k] : x, sy = samples > 1 ? y + jy[k] : y;
            V d = unit(add(add(mul(right, (sx - cam->cx) / cam->fx), mul(down, (sy - cam->cy) / cam->fy)), ahead));
            float best = d.z < -1e-4f ? -eye.z / d.z : 1e9f;
            int hit = -1, ups[64], seen[64], m = 0;
            for (int i = 0; i < n; i++) {
                const Body *b = bodies + list[i];
                V ob = to_body(b, sub(eye, from(b->centre))), db = to_body(b, d);
                float t = meet(b, ob, db);
                if (t < 0) continue;
                if (k == 0) {
                    float u, v;
                    seen[m] = list[i];
                    ups[m] = b->shape == SHAPE_BOX && face_of(b, add(ob, mul(db, t)), &u, &v) == b->up_face;
                    float *q = stats + 8 * list[i];
                    q[0] = fminf(q[0], x); q[1] = fminf(q[1], y); q[2] = fmaxf(q[2], x + 1); q[3] = fmaxf(q[3], y + 1);
                    q[4]++;
                    q[6] += ups[m];
                    m++;
                }
                if (t < best) { best = t; hit = list[i]; }
            }
            if (k == 0) for (int i = 0; i < m; i++) if (seen[i] == hit) { stats[8 * hit + 5]++; stats[8 * hit + 7] += ups[i]; }
            V c;
            if (hit >= 0) c = body_shade(&s, hit, eye, d, best, 0);
            else if (d.z < -1e-4f && best < 6000) {
                V p = add(eye, mul(d, best));
                float foot = best / cam->fx / sqrtf(fabsf(d.z) + 0.02f);
                c = ground_colour(&s, p, foot);
                if (ground->gloss > 0) {
                    V r = v3(d.x, d.y, -d.z);
                    float t = 400, f = ground->gloss * (0.25f + 0.75f * powf(1 + d.z, 3));
                    int other = nearest(&s, add(p, v3(0, 0, 0.02f)), r, &t, -1);
                    c = mix(c, other >= 0 ? body_shade(&s, other, p, r, t, 1) : sky(ground, r), f);
                }
            } else c = sky(ground, d);
            sum = add(sum, v3(clamp(c.x * ground->exposure, 0, 1.2f), clamp(c.y * ground->exposure, 0, 1.2f), clamp(c.z * ground->exposure, 0, 1.2f)));
        }
        uint8_t *o = rgb + ((size_t)y * width + x) * 3;
        float w = 1.0f / samples;
        o[0] = encode(sum.x * w); o[1] = encode(sum.y * w); o[2] = encode(sum.z * w);
    }
}
