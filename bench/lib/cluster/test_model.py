import unittest

import model


def run(size, noise=1.0):
    """A run of a plan that the model describes."""
    counts = {"rows": size / 1000, "postings": size / 80, "hit_bytes": 1e-6 * size**1.5, "heavy_postings": 0, "candidates": size / 5000,
              "pairs": size / 50_000, "rounds": 0, "blocks_read": 0}
    return {"name": str(size), "text_bytes": size, "counts": counts,
            "seconds": {"sample": 1 + size / 1e8, "postings": 2 + counts["postings"] / 1e6, "candidates": counts["hit_bytes"] / 1e7,
                        "answer": 3 * noise},
            "bytes": {"sample": size / 30, "postings": counts["postings"] * 16, "verification": counts["candidates"] * 4000}}


class TestModel(unittest.TestCase):
    def test_a_run_that_was_left_out(self):
        name, rows = model.check([run(8e9), run(1e9), run(4e9), run(2e9)], 1e9)
        self.assertEqual(name, str(8e9))
        for what, stage, predicted, measured in rows:
            self.assertAlmostEqual(predicted, measured, delta=1e-6 * max(1, measured), msg=(what, stage))

    def test_only_its_size_is_used(self):
        smaller = [run(1e9), run(2e9), run(4e9)]
        honest = model.check([*smaller, run(8e9)], 1e9)[1]
        other = run(8e9, noise=9)
        for name in other["counts"]:
            other["counts"][name] *= 7
        wrong = model.check([*smaller, other], 1e9)[1]
        self.assertEqual([row[:3] for row in honest], [row[:3] for row in wrong])
        self.assertNotEqual(honest, wrong)

    def test_slices_and_blocks_are_read(self):
        made = model.Model([run(1e9), run(2e9)], 1.5e5)
        counts = made.counts(1e9)
        self.assertEqual(made.grown(1e9, counts)["reads"], 2e9)
        self.assertEqual(made.grown(1e9, counts | {"blocks_read": 5})["reads"], 7e9)

    def test_laws(self):
        self.assertEqual(model.power_law([1, 2], [0, 0]), (0.0, 1.0))
        scale, exponent = model.power_law([10, 20, 40], [0, 5, 10])
        self.assertAlmostEqual(scale * 80**exponent, 20)
        self.assertEqual(model.line([(0, 1), (0, 3)]), (2, 0))
        self.assertEqual(model.line([(1, 5), (2, 3)]), (4, 0))


if __name__ == "__main__":
    unittest.main()
