/// Union-find in which the least member of a component is its root.
///
/// ```
/// let mut roots = lookalike::cluster::Roots::new(4);
/// roots.join(3, 1);
/// assert_eq!([0, 1, 2, 3].map(|member| roots.find(member)), [0, 1, 2, 1]);
/// ```
#[derive(Clone, Debug)]
pub struct Roots(Vec<u32>);

impl Roots {
    /// So many members, each a component of its own.
    pub fn new(members: usize) -> Roots {
        Roots((0..members as u32).collect())
    }

    /// The least member of a member's component.
    pub fn find(&mut self, mut member: u32) -> u32 {
        while self.0[member as usize] != member {
            let parent = self.0[member as usize];
            self.0[member as usize] = self.0[parent as usize];
            member = self.0[member as usize];
        }
        member
    }

    /// Makes the components of two members one.
    pub fn join(&mut self, one: u32, two: u32) {
        let (one, two) = (self.find(one), self.find(two));
        self.0[one.max(two) as usize] = one.min(two);
    }
}
